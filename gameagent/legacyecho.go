package gameagent

import "github.com/lobbywire/lobbywire/internal/wire"

// A LegacyEcho asks a server to return a text in a [LegacyEchoReply]. Masters send
// it to see whether a server is still there. The engine of Serious Sam does not
// answer it.
//
//	\echo\ABCDEF
//
//wire:message ToServer
type LegacyEcho struct {
	Text string
}

// echoKey starts a LegacyEcho and most replies to it. Some servers reply with
// echoReplyKey.
const (
	echoKey      = `\echo\`
	echoReplyKey = `\echo_reply\`
)

// decode ignores bytes after the text. With Options.Strict it refuses them.
func (m *LegacyEcho) decode(r *wire.Reader, o Options) {
	decodeLiteral(r, echoKey, "key")
	m.Text, _ = r.TextUntil(slash, "text")
	decodeEnd(r, o)
}

// append fails if the text contains a backslash or a zero byte.
func (m *LegacyEcho) append(w *wire.Writer) { appendEcho(w, m.Text) }

func appendEcho(w *wire.Writer, text string) {
	w.Text(echoKey[:len(echoKey)-1])
	appendTextAfter(w, slash, text, "text")
}
