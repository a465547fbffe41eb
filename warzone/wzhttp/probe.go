package wzhttp

import (
	"bytes"
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// A Probe checks that a host can be reached: the lobby connects to the game port and sends
// it. It starts with 8 zero bytes, in whose place a player who joins sends the netcode
// version.
//
//wire:message object
type Probe struct {
	LobbyToken string `wire:"lobbyToken"` // of the Created
	// of MinChallenge to MaxChallenge bytes; random
	Challenge string                     `wire:"challenge,must=validChallenge"`
	Extra     map[string]json.RawMessage // unknown members
}

// probeType is the type of the frame after the zero bytes.
const probeType = 0

// decode fails with [lobbywire.ErrUnsupported] if the input starts with a netcode
// version, that is, if it is from a player who joins.
func (m *Probe) decode(r *wire.Reader, _ Options) {
	decodeZero(r, "netcodeMajor")
	decodeZero(r, "netcodeMinor")
	r.Const8("type", probeType)
	at := r.Offset()
	frame := r.Enter(int(r.Uint16("frameSize")), "frameSize", at)
	at = r.Offset()
	text := r.Enter(int(r.Uint16("size")), "size", at)
	j := wirejson.NewReader(r)
	m.decodeObject(&j, Options{}, false)
	j.End()
	r.Leave(text)
	r.Leave(frame)
	r.End()
}

// decodeZero reads a number that must be 0. It fails at the first byte that is
// not 0, even if later bytes are missing.
func decodeZero(r *wire.Reader, field string) {
	p := r.Peek()
	p = p[:min(len(p), 4)]
	if bytes.Count(p, []byte{0}) < len(p) {
		r.Fail(wire.Unsupported("is not 0"), field, r.Offset())
	}
	r.Uint32(field)
}

// validChallenge reports whether hosts answer a challenge.
func validChallenge(s string) bool { return len(s) >= MinChallenge && len(s) <= MaxChallenge }

// validChallengeFault is the reason for refusing a challenge.
const validChallengeFault wire.Invalid = "has not 32 to 88 bytes"

func (m *Probe) append(w *wire.Writer) {
	w.Uint64(0)
	w.Uint8(probeType)
	frame := w.Size(2)
	text := w.Size(2)
	m.appendObject(w)
	w.SetSize(text, 2, "size")
	w.SetSize(frame, 2, "frameSize")
}
