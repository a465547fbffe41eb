package gamespy2

import "github.com/lobbywire/lobbywire/internal/wire"

// Flags are the last byte of a query.
type Flags uint8

// The flags.
const (
	// FlagSplit requests all sections in split form.
	FlagSplit Flags = 1 << 0

	// FlagJustCause2 requests the form of Just Cause 2 Multiplayer: a [Response] of one
	// packet with Info and the columns player_, steamid_ and ping_. Servers of this game
	// need it in place of FlagSplit, and others ignore it.
	FlagJustCause2 Flags = 1 << 1
)

// String returns the names of the flags, such as "split", joined by |. Unknown flags follow as a
// hexadecimal number; no flags are "0x0".
func (f Flags) String() string { return wire.BitNames(f, []string{"split", "justCause2"}, 16, "0x0") }

// A Request is any request to a server: a query, a challenge request or an echo request.
// Encoding refuses fields that do not belong to its Type.
//
// A query contains challenge if the server gave one to the client. Each of info, players
// and teams is 0 for no keys, 255 for all keys, or a number n and n key ids. flags are
// present if they are not 0. Only an echo request contains data.
//
//wire:message magic=0xfefd
type Request struct {
	Type Type    `wire:"type,requestType"`
	ID   [4]byte `wire:"id"` // opaque, repeated in the response

	// HasChallenge reports whether a query contains a challenge.
	HasChallenge bool

	// Challenge is the Number of the [ChallengeResponse].
	Challenge int32

	// Info, Players and Teams select the keys of a query. A server that splits
	// its response sends all sections in full regardless.
	Info, Players, Teams Selector

	Flags Flags // of a query; unknown bits are kept

	Data EchoData // of an echo request
}

// decode allocates nothing unless it fails. Only [Options.Challenge] says whether a query
// contains a challenge. An unknown type is [lobbywire.ErrUnsupported].
func (m *Request) decode(r *wire.Reader, o Options) {
	if r.Len() > MaxRequest {
		r.Exceed("", MaxRequest, r.Len(), MaxRequest)
	}
	m.decodeHeader(r)
	switch m.Type {
	case TypeQuery:
		m.decodeQuery(r, o)
	case TypeEcho:
		m.Data.decode(r)
	}
	decodeEnd(r, o)
}

func (m *Request) decodeQuery(r *wire.Reader, o Options) {
	if o.Challenge {
		m.HasChallenge = true
		m.Challenge = int32(r.Uint32("challenge"))
	}
	m.Info.decode(r, "info", 2)
	m.Players.decode(r, "players", 1)
	m.Teams.decode(r, "teams", 0)
	if r.Len() > 0 {
		m.Flags = Flags(r.Uint8("flags"))
	}
}

// append fails if Type is not the type of a request, if a field is set that does not belong
// to the type, or if there are too many key ids or data.
func (m *Request) append(w *wire.Writer) {
	m.appendHeader(w)
	m.checkFields(w)
	switch m.Type {
	case TypeQuery:
		if m.HasChallenge {
			w.Uint32(uint32(m.Challenge))
		}
		m.Info.append(w, "info")
		m.Players.append(w, "players")
		m.Teams.append(w, "teams")
		if m.Flags != 0 {
			w.Uint8(uint8(m.Flags))
		}
	case TypeEcho:
		appendEcho(w, "data", m.Data)
	}
	if size := w.Len(); size > MaxRequest {
		w.Exceed("", size, MaxRequest)
	}
}

// checkFields refuses fields that do not belong to the type.
func (m *Request) checkFields(w *wire.Writer) {
	query := m.Type == TypeQuery
	if m.HasChallenge && !query || m.Challenge != 0 && !m.HasChallenge {
		w.Refuse("challenge", "belongs to a query with HasChallenge")
	}
	if !query && (!m.Info.isNone() || !m.Players.isNone() || !m.Teams.isNone() || m.Flags != 0) {
		w.Refuse("type", "is not a query, to which selectors and flags belong")
	}
	if m.Type != TypeEcho && m.Data != (EchoData{}) {
		w.Refuse("data", "belongs to an echo request")
	}
}

// isRequest reports whether t is the type of a request.
func (t Type) isRequest() bool { return t == TypeQuery || t == TypeEcho || t == TypeChallenge }

func decodeRequestType(r *wire.Reader, field string) Type {
	at := r.Offset()
	t := Type(r.Uint8(field))
	if !t.isRequest() {
		r.Fail(wire.Unsupported("is not a request"), field, at)
	}
	return t
}

// appendRequestType appends a type.
//
//wire:fails the type is not the type of a request
func appendRequestType(w *wire.Writer, field string, t Type) {
	if !t.isRequest() {
		w.Fail(wire.Unsupported("is not a request"), field)
	}
	w.Uint8(uint8(t))
}

func decodeEnd(r *wire.Reader, o Options) { decodeRest(r, o, "ignored") }

// decodeRest reads the bytes after a message.
func decodeRest(r *wire.Reader, o Options, field string) {
	if o.Strict {
		r.End()
	}
	r.Skip(r.Len(), field)
}

// Split reports whether a query requests the split form. Clients then expect
// that form even if the response is one packet.
func (m Request) Split() bool { return m.Flags&FlagSplit != 0 }

// Sections returns the sections of the response.
func (m Request) Sections() Sections {
	if m.Split() {
		return AllSections
	}
	var s Sections
	if !m.Info.isNone() {
		s |= SectionInfo
	}
	if !m.Players.isNone() {
		s |= SectionPlayers
	}
	if !m.Teams.isNone() {
		s |= SectionTeams
	}
	return s
}
