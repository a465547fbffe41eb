package gameagent

import "github.com/lobbywire/lobbywire/internal/wire"

// A LegacyError is the reason why a legacy master refuses a server or a client. Clients
// receive it on a connection for a list. Most masters give no reason: they do not
// answer, or end the connection.
//
//	\error\Unknown game
//
//	\fatal\1\error\Validation error
//
//wire:message ToServer
type LegacyError struct {
	Fatal bool // the master ends the connection: the key fatal is there
	Text  string
}

// Keys that start a LegacyError. That of fatal has a value, which is always 1.
const (
	errorKey = `\error\`
	fatalKey = `\fatal\1`
)

// decode ignores bytes after the text. With Options.Strict it refuses them.
func (m *LegacyError) decode(r *wire.Reader, o Options) {
	m.Fatal = len(r.Peek()) > 1 && startsAs(r.Peek(), fatalKey)
	if m.Fatal {
		decodeLiteral(r, fatalKey, "fatal")
	}
	decodeLiteral(r, errorKey, "key")
	text, _ := r.TextUntil(slash, "text")
	m.Text = trimZeros(text)
	decodeEnd(r, o)
}

// append fails if the text contains a backslash or a zero byte.
func (m *LegacyError) append(w *wire.Writer) {
	if m.Fatal {
		w.Text(fatalKey)
	}
	w.Text(errorKey[:len(errorKey)-1])
	appendTextAfter(w, slash, m.Text, "text")
}
