package gamespy1

import (
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// An Error reports why a master refuses a server or a client. Clients receive it on a
// connection for a list. Most masters give no reason: they do not answer, or end the
// connection.
//
//	\error\Unknown game
//
//	\fatal\1\error\Validation error
//
//wire:message ToServer
type Error struct {
	Fatal bool // the key fatal is present: the master ends the connection
	Text  string
}

// Keys that start an Error. The value of fatal is always 1.
const (
	errorKey = `\error\`
	fatalKey = `\fatal\1`
)

// decode ignores bytes after the text. With Options.Strict it refuses them.
func (m *Error) decode(r *wire.Reader, o Options) {
	m.Fatal = len(r.Peek()) > 1 && pairs.StartsAs(r.Peek(), fatalKey)
	if m.Fatal {
		pairs.DecodeLiteral(r, fatalKey, "fatal")
	}
	pairs.DecodeLiteral(r, errorKey, "key")
	text, _ := r.TextUntil(slash, "text")
	m.Text = trimZeros(text)
	decodeEnd(r, o)
}

// append fails if the text contains a backslash or a zero byte.
func (m *Error) append(w *wire.Writer) {
	if m.Fatal {
		w.Text(fatalKey)
	}
	w.Text(errorKey[:len(errorKey)-1])
	pairs.AppendTextAfter(w, slash, m.Text, "text")
}
