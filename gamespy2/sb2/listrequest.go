package sb2

import (
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// RequestOptions are flags of a [ListRequest].
type RequestOptions uint32

// The options.
const (
	OptionAllFields RequestOptions = 1 << 0 // send the fields also of servers that clients can query
	OptionNoList    RequestOptions = 1 << 1 // no list; the connection is for other requests
	OptionPush      RequestOptions = 1 << 2 // push changes of the list
	OptionSourceIP  RequestOptions = 1 << 3 // the request contains a source address
	OptionGroups    RequestOptions = 1 << 5 // list groups of chat rooms instead of servers
	OptionNoCache   RequestOptions = 1 << 6
	OptionLimit     RequestOptions = 1 << 7 // the request contains a maximum number of servers
)

var optionNames = [...]string{"allFields", "noList", "push", "sourceIP", "16", "groups", "noCache", "limit"}

// String returns the names of the options, such as "allFields|limit". Unknown
// options are a number.
func (o RequestOptions) String() string { return wire.BitNames(o, optionNames[:], 10, "0") }

// A ListRequest is the first message of a client.
//
//wire:message Request key=typeListRequest
type ListRequest struct {
	GameVersion uint32 // usually 0; little-endian
	ForGame     string // the game whose servers are requested
	FromGame    string // the game whose secret key encrypts the answer; usually ForGame
	Challenge   Challenge

	// Filter is the condition that listed servers must meet, in the language of
	// package filter, or "".
	Filter string

	Fields  FieldList
	Options RequestOptions

	// SourceIP is the IPv4 address that the client claims to have, with
	// OptionSourceIP.
	SourceIP netip.Addr

	// MaxServers is the maximum number of servers to list, with OptionLimit;
	// little-endian.
	MaxServers uint32

	Extra []byte // bytes after the last field; nil if there are none
}

// The versions of GameSpy's client.
const (
	protocolVersion = 1
	encodingVersion = 3
)

// decode ignores a zero byte before challenge, and keeps bytes after the last field; with
// Options.Strict it refuses both.
// Other versions of protocol and encoding are [lobbywire.ErrUnsupported].
func (m *ListRequest) decode(r *wire.Reader, o Options) {
	outer := enter(r, typeListRequest)
	decodeVersion(r, "protocolVersion", protocolVersion)
	decodeVersion(r, "encodingVersion", encodingVersion)
	m.GameVersion = r.Uint32LE("gameVersion")
	m.ForGame = r.Text0("forGame")
	m.FromGame = r.Text0("fromGame")
	if hasSurplusZero(r.Peek()) {
		if o.Strict {
			r.Refuse("challenge", r.Offset(), "follows a surplus zero byte")
		}
		r.Skip(1, "ignored")
	}
	copy(m.Challenge[:], r.Peek())
	r.Skip(len(m.Challenge), "challenge")
	m.Filter = r.Text0("filter")
	m.Fields = FieldList(r.Text0("fields"))
	m.Options = RequestOptions(r.Uint32("options"))
	if m.Options&OptionSourceIP != 0 {
		m.SourceIP = r.IPv4("sourceIp")
	}
	if m.Options&OptionLimit != 0 {
		m.MaxServers = r.Uint32LE("maxServers")
	}
	if !o.Strict {
		m.Extra = r.Rest("extra")
	}
	leave(r, outer)
}

func decodeVersion(r *wire.Reader, field string, want uint8) {
	at := r.Offset()
	if r.Uint8(field) != want && !r.Failed() {
		r.Fail(wire.Unsupported("is another version"), field, at)
	}
}

// hasSurplusZero reports whether a zero byte precedes the challenge at the start of p, as
// in requests of Anno 1701. Challenges of GameSpy's client contain none.
func hasSurplusZero(p []byte) bool {
	const size = 1 + len(Challenge{})
	if len(p) < size || p[0] != 0 {
		return false
	}
	for i := 1; i < size; i++ {
		if p[i] < minChar || p[i] > minChar+chars {
			return false
		}
	}
	return true
}

// append fails if a text contains a zero byte, if Challenge starts with one that looks
// surplus, if SourceIP is not IPv4 or is set without its option, if MaxServers is set
// without its option, or if the message is too long.
func (m *ListRequest) append(w *wire.Writer) {
	at := open(w, typeListRequest)
	w.Uint8(protocolVersion)
	w.Uint8(encodingVersion)
	w.Uint32LE(m.GameVersion)
	w.Text0("forGame", m.ForGame)
	w.Text0("fromGame", m.FromGame)
	start := len(w.Buffer())
	w.Bytes(m.Challenge[:])
	w.Text0("filter", m.Filter)
	if hasSurplusZero(w.Buffer()[start:]) {
		w.Refuse("challenge", "starts with a zero byte that looks surplus")
	}
	w.Text0("fields", string(m.Fields))
	w.Uint32(uint32(m.Options))
	if m.Options&OptionSourceIP != 0 {
		appendIP(w, "sourceIp", m.SourceIP)
	} else if m.SourceIP.IsValid() {
		w.Refuse("sourceIp", "belongs to OptionSourceIP")
	}
	if m.Options&OptionLimit != 0 {
		w.Uint32LE(m.MaxServers)
	} else if m.MaxServers != 0 {
		w.Refuse("maxServers", "belongs to OptionLimit")
	}
	w.Bytes(m.Extra)
	seal(w, at)
}
