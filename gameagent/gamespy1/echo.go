package gamespy1

import (
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// An Echo requests an [EchoReply] with the same text from a server. Masters
// send it to check whether a server still runs. Serious Sam does not
// answer it.
//
//	\echo\ABCDEF
//
//wire:message ToServer end=decodeEnd
type Echo struct {
	Text string `wire:"text,echo"`
}

// echoKey starts an Echo and most replies to it. Some servers reply with
// echoReplyKey.
const (
	echoKey      = `\echo\`
	echoReplyKey = `\echo_reply\`
)

func decodeEcho(r *wire.Reader, field string) string {
	pairs.DecodeLiteral(r, echoKey, "key")
	text, _ := r.TextUntil(slash, field)
	return trimZeros(text)
}

// appendEcho appends the key of an echo and its text.
//
//wire:fails the text contains a backslash or a zero byte
func appendEcho(w *wire.Writer, field, text string) {
	w.Text(echoKey[:len(echoKey)-1])
	pairs.AppendTextAfter(w, slash, text, field)
}

// An EchoReply answers an [Echo]. The end mark distinguishes the two,
// so that two servers cannot keep echoing.
//
//	\echo\ABCDEF\final\
//
//wire:message ToMaster
type EchoReply struct {
	Text    string
	QueryID string // "" if there is none
	Extra   []Pair // other pairs
}

// decode accepts the key echo_reply too, which 333networks uses. It does not require
// the end mark.
func (m *EchoReply) decode(r *wire.Reader, _ Options) {
	// The keys share their first bytes, up to the one after "echo".
	key := echoKey
	if at := len(echoKey) - 1; r.Len() > at && r.Peek()[at] == echoReplyKey[at] {
		key = echoReplyKey
	}
	pairs.DecodeLiteral(r, key, "key")
	text, _ := r.TextUntil(slash, "text")
	m.Text = trimZeros(text)
	m.Extra = decodeReplyRest(r, &m.QueryID)
}

// append fails if a text contains a backslash or a zero byte, or if Extra holds a
// key that decoding does not put there.
func (m *EchoReply) append(w *wire.Writer) {
	appendEcho(w, "text", m.Text)
	appendReplyRest(w, m.QueryID, m.Extra)
}
