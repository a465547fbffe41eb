package wzhttp

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// ReplyVersion is the version of a [ProbeReply]. Hosts of 4.0 to 4.6 answer after the zero
// bytes, with version 1 and without JSON.
const ReplyVersion = 2

// A ProbeReply answers a [Probe]. The host then closes the connection. Only the lobby of
// the game's developers receives a signature and the texts that it covers.
//
//wire:message object
type ProbeReply struct {
	GameID string `wire:"gid"` // of the Created
	// of the host, Ed25519 in base64; "" without a signature, like the texts below
	PublicKey string                     `wire:"pk,omitzero"`
	Name      string                     `wire:"name,omitzero"` // of the host, in UTF-8 and base64
	Time      string                     `wire:"at,omitzero"`   // seconds since 1970, in decimal digits
	Signature string                     `wire:"sig,omitzero"`  // in base64
	Extra     map[string]json.RawMessage // unknown members
}

// replyMagic is the start of a ProbeReply.
const replyMagic = "WZLR"

// decode fails with [lobbywire.ErrUnsupported] on a version other than
// [ReplyVersion].
func (m *ProbeReply) decode(r *wire.Reader, _ Options) {
	p := r.Peek()
	if n := min(len(p), len(replyMagic)); string(p[:n]) != replyMagic[:n] {
		r.Refuse("magic", r.Offset(), "is not WZLR")
	}
	r.ViewWithin(0, len(replyMagic), 0, "magic")
	at := r.Offset()
	if v := r.Uint32("version"); v != ReplyVersion {
		r.Fail(wire.Unsupported("is another version"), "version", at)
	}
	at = r.Offset()
	size := r.Uint32("size")
	if size > MaxProbeReply {
		r.Fail(wire.Exceeded(size, MaxProbeReply), "size", at)
	}
	text := r.Enter(int(size), "size", at)
	j := wirejson.NewReader(r)
	m.decodeObject(&j, Options{}, false)
	j.End()
	r.Leave(text)
	r.End()
}

func (m *ProbeReply) append(w *wire.Writer) {
	w.Text(replyMagic)
	w.Uint32(ReplyVersion)
	at := w.Size(4)
	start := w.Len()
	m.appendObject(w)
	if n := w.Len() - start; n > MaxProbeReply {
		w.Exceed("size", n, MaxProbeReply)
	}
	w.SetSize(at, 4, "size")
}

// Signed returns the text that the signature covers. The challenge is from the [Probe].
func (m ProbeReply) Signed(challenge string) string {
	return replyMagic + ":" + challenge + m.Time + m.Name + m.GameID
}

// HostName returns the name of the host.
func (m ProbeReply) HostName() (string, error) { return attestedName(m.Name) }

// Unix returns the time of the signature in seconds since 1970.
func (m ProbeReply) Unix() (int64, error) { return attestedTime(m.Time) }
