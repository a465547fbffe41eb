package qr2

import (
	"bytes"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// MasterPort is the UDP port of a master.
const MasterPort = 27900

// Sizes and limits, in bytes unless stated otherwise.
const (
	// MaxHeartbeat is the size of GameSpy's send buffer, and so of the longest
	// heartbeat. A server whose keys and tables do not fit sends only its keys.
	MaxHeartbeat = gamespy2.MaxPacket

	MaxChallenge = 64  // the text of the longest challenge that GameSpy's server answers
	MaxText      = 255 // the name of a game, or the text of an error; the limit is ours
)

// Options changes what the decoder accepts. The zero Options is the default of the
// functions with the same names.
type Options struct {
	// Strict refuses what GameSpy's code and the known masters do not send. The
	// package documentation lists the differences.
	Strict bool

	// Text, unless nil, decodes texts that are not UTF-8, for servers whose encoding the
	// caller knows. The messages are then encoded to other bytes.
	Text func([]byte) string
}

// decodeEnd ignores the bytes after a message.
func decodeEnd(r *wire.Reader, o Options) {
	if o.Strict {
		r.End()
	}
	r.Skip(r.Len(), "ignored")
}

// decodeText reads a text that ends with a zero byte.
func decodeText(r *wire.Reader, field string) string { return decodeTextUpTo(r, field, MaxText) }

func decodeTextUpTo(r *wire.Reader, field string, most int) string {
	if p := r.Peek(); len(p) > most && bytes.IndexByte(p[:most+1], 0) < 0 {
		r.Fail(wire.Over(most), field, r.Offset())
	}
	return r.Text0(field)
}

// appendText appends text and a zero byte.
//
//wire:fails a text is longer than [MaxText] or contains a zero byte
func appendText(w *wire.Writer, field, s string) { appendTextUpTo(w, field, s, MaxText) }

func appendTextUpTo(w *wire.Writer, field, s string, most int) {
	if len(s) > most {
		w.Exceed(field, len(s), most)
	}
	w.Text0(field, s)
}
