package gamespy2

import (
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// proto names the package in errors.
const proto = "gamespy2"

// magic starts every request, and no answer.
const magic = 0xfefd

// A Type is what a message is. Other types are spoken between server and master.
type Type uint8

// The types.
const (
	TypeQuery        Type = 0 // request and answer
	TypeEcho         Type = 2 // request
	TypeEchoResponse Type = 5 // answer
	TypeChallenge    Type = 9 // request and answer
)

// String returns, as examples, "query" or "type(7)".
func (t Type) String() string {
	switch t {
	case TypeQuery:
		return "query"
	case TypeEcho:
		return "echo"
	case TypeEchoResponse:
		return "echoResponse"
	case TypeChallenge:
		return "challenge"
	}
	return "type(" + strconv.Itoa(int(t)) + ")"
}

// Flags end a query request.
type Flags uint8

// The flags.
const (
	FlagSplit Flags = 1 << 0 // the answer may be split, and has all sections
	FlagJC2MP Flags = 1 << 1 // asks Just Cause 2 Multiplayer for its own format
)

// A Request is what a server receives: a query, or a request for a challenge or
// an echo. Fields of other types than Type are not sent.
//
//	offset  size  field
//	0       2     magic, FE FD
//	2       1     type
//	3       4     id
//	query of a client that was given a challenge:
//	7       4     challenge, big-endian
//	query:
//	        1+n   info, which is 0, 255 or a number n and n key ids
//	        1+n   players, in the same way
//	        1+n   teams, in the same way
//	query with flags that are not 0:
//	        1     flags
//	echo:
//	7       n     data
type Request struct {
	Type Type
	ID   [4]byte // opaque, comes back in the answer

	// HasChallenge says whether a query has a challenge.
	HasChallenge bool

	// Challenge is the number of the ChallengeResponse.
	Challenge int32

	// Info, Players and Teams say what a query asks for. A server that splits
	// its answer sends all sections in full regardless.
	Info, Players, Teams Selector

	Flags Flags // of a query; bits without a meaning are kept

	Data EchoData // of an echo request
}

// ParseRequest reads a request of any type, for a server that gives out no
// challenges. It allocates nothing unless it fails. An unknown type is
// [lobbywire.ErrUnsupported].
func ParseRequest(b []byte) (Request, error) { return Options{}.ParseRequest(b) }

// ParseRequest reads a request of any type. Options.Challenge says whether a
// query has a challenge.
func (o Options) ParseRequest(b []byte) (m Request, err error) {
	r := wire.NewReader(b)
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Request{}, err
	}
	return m, nil
}

// ExplainRequest accounts for every byte of a [Request].
func ExplainRequest(b []byte) lobbywire.Explanation { return Options{}.ExplainRequest(b) }

// ExplainRequest accounts for every byte of a [Request].
func (o Options) ExplainRequest(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Request", b, func(r *wire.Reader) { new(Request).decode(r, o) })
}

func (m *Request) decode(r *wire.Reader, o Options) {
	if r.Len() > MaxRequest {
		r.Fail(lobbywire.ErrTooLarge, "", MaxRequest)
	}
	decodeMagic(r)
	at := r.Offset()
	m.Type = Type(r.Uint8("type"))
	switch m.Type {
	case TypeQuery, TypeEcho, TypeChallenge:
	default:
		r.Fail(lobbywire.ErrUnsupported, "type", at)
	}
	m.ID = decodeID(r)
	switch m.Type {
	case TypeQuery:
		m.decodeQuery(r, o)
	case TypeEcho:
		m.Data.decode(r)
	}
	if o.Strict {
		r.End()
	}
	r.Skip(r.Len(), "ignored")
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

// decodeMagic reads the first bytes of a request and refuses others.
func decodeMagic(r *wire.Reader) {
	if p := r.Peek(); len(p) > 0 && p[0] != magic>>8 || len(p) > 1 && p[1] != magic&0xff {
		r.Fail(lobbywire.ErrInvalid, "magic", r.Offset())
	}
	r.Uint16("magic")
}

// decodeType reads the type of an answer and refuses all but want.
func decodeType(r *wire.Reader, want Type) {
	at := r.Offset()
	if got := Type(r.Uint8("type")); got != want {
		r.Fail(lobbywire.ErrInvalid, "type", at)
	}
}

// decodeID reads a request id.
func decodeID(r *wire.Reader) (id [4]byte) {
	if p := r.Peek(); len(p) >= len(id) {
		copy(id[:], p)
	}
	r.Skip(len(id), "id")
	return id
}

// AppendBinary appends the wire form to b. It fails if Type is not one of a
// request, or if there are too many key ids or echo data.
func (m Request) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Uint16(magic)
	w.Uint8(uint8(m.Type))
	w.Bytes(m.ID[:])
	switch m.Type {
	case TypeQuery:
		if m.HasChallenge {
			w.Uint32(uint32(m.Challenge))
		}
		m.Info.append(&w, "info")
		m.Players.append(&w, "players")
		m.Teams.append(&w, "teams")
		if m.Flags != 0 {
			w.Uint8(uint8(m.Flags))
		}
	case TypeEcho:
		m.Data.append(&w)
	case TypeChallenge:
	default:
		w.Fail(lobbywire.ErrUnsupported, "type")
	}
	if w.Len() > MaxRequest {
		w.Fail(lobbywire.ErrTooLarge, "")
	}
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m Request) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseRequest] does.
func (m *Request) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseRequest(b)
	return err
}

// Split tells whether a query allows a split answer. Its answer must then have
// that form even if it is one packet: clients expect it.
func (m Request) Split() bool { return m.Flags&FlagSplit != 0 }

// Sections returns the sections that the answer has.
func (m Request) Sections() Sections {
	if m.Split() {
		return AllSections
	}
	var s Sections
	if !m.Info.IsNone() {
		s |= SectionInfo
	}
	if !m.Players.IsNone() {
		s |= SectionPlayers
	}
	if !m.Teams.IsNone() {
		s |= SectionTeams
	}
	return s
}
