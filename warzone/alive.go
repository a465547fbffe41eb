package warzone

import (
	"bytes"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// An AliveRequest checks a host of 4.0 to 4.6 at its game port. It is 8 zero
// bytes: a client that joins the game sends its netcode version there instead.
//
//wire:message canonical
type AliveRequest struct{}

// decode fails with [lobbywire.ErrUnsupported] on the netcode version of a
// client that joins.
func (m *AliveRequest) decode(r *wire.Reader, _ Options) {
	decodeZero(r, "netcodeMajor")
	decodeZero(r, "netcodeMinor")
	r.End()
}

// decodeZero reads a number that must be 0. It fails at the first byte that is
// not, even if later bytes are missing.
func decodeZero(r *wire.Reader, field string) {
	p := r.Peek()
	p = p[:min(len(p), 4)]
	if bytes.Count(p, []byte{0}) < len(p) {
		r.Fail(wire.Unsupported("is not 0"), field, r.Offset())
	}
	r.Uint32(field)
}

//wire:fails never
func (m *AliveRequest) append(w *wire.Writer) { w.Uint64(0) }

// AliveVersion is the version of an [AliveReply] from hosts of 4.0 to 4.6. Hosts of 4.7 use
// version 2, with a longer request and an answer in JSON.
const AliveVersion = 1

// An AliveReply answers an [AliveRequest]. The host then closes the
// connection. The magic is "WZLR" and the version is 1.
//
//wire:message canonical
type AliveReply struct {
	Version uint32 `wire:"version"` // AliveVersion
	GameID  uint32 `wire:"gameId"`  // the number that the lobby gave the game
}

// magic starts an AliveReply.
const magic = "WZLR"

func (m *AliveReply) decode(r *wire.Reader, _ Options) {
	p := r.Peek()
	if n := min(len(p), len(magic)); string(p[:n]) != magic[:n] {
		r.Refuse("magic", r.Offset(), "is not WZLR")
	}
	r.ViewWithin(0, len(magic), 0, "magic")
	m.decodeHeader(r)
	r.End()
}

//wire:fails never
func (m *AliveReply) append(w *wire.Writer) {
	w.Text(magic)
	m.appendHeader(w)
}
