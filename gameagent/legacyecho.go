package gameagent

import "github.com/lobbywire/lobbywire/internal/wire"

// A LegacyEcho requests a [LegacyEchoReply] with the same text from a server. Masters
// send it to check whether a server still runs. The engine of Serious Sam does not
// answer it.
//
//	\echo\ABCDEF
//
//wire:message ToServer end=decodeEnd
type LegacyEcho struct {
	Text string `wire:"text,echo"`
}

// echoKey starts a LegacyEcho and most replies to it. Some servers reply with
// echoReplyKey.
const (
	echoKey      = `\echo\`
	echoReplyKey = `\echo_reply\`
)

func decodeEcho(r *wire.Reader, field string) string {
	decodeLiteral(r, echoKey, "key")
	text, _ := r.TextUntil(slash, field)
	return text
}

// appendEcho fails if the text contains a backslash or a zero byte.
func appendEcho(w *wire.Writer, field, text string) {
	w.Text(echoKey[:len(echoKey)-1])
	appendTextAfter(w, slash, text, field)
}
