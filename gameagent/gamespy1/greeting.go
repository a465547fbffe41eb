package gamespy1

import (
	"bytes"
	"errors"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Greeting is the first message of a master on a connection for
// its list. It has 21 bytes, or 28 with the end mark that the master of 333networks
// adds:
//
//	\basic\\secure\ABCDEF
//
//	\basic\\secure\ABCDEF\final\
//
// The client answers the challenge with [Validate], which proves that it knows the key of
// its game.
//
//wire:message
type Greeting struct {
	Secure string // challenge of 6 bytes
	Final  bool   // the greeting ends with an end mark
}

// decode searches for the challenge and ignores the bytes around it, except an end
// mark; with Options.Strict it refuses them. If a stream does not contain the whole
// challenge yet, the error is [lobbywire.ErrTruncated].
func (m *Greeting) decode(r *wire.Reader, o Options) {
	if r.Len() > MaxLine {
		r.Exceed("", 0, r.Len(), MaxLine)
	}
	m.decodeSecure(r, o)
	if rest := r.Peek(); bytes.HasPrefix(rest, []byte(endMark)) || o.Strict && len(rest) > 0 &&
		pairs.StartsAs(rest, endMark) {
		pairs.DecodeLiteral(r, endMark, finalKey)
		m.Final = true
	}
	decodeEnd(r, o)
}

// decodeSecure reads the greeting up to the challenge.
func (m *Greeting) decodeSecure(r *wire.Reader, o Options) {
	switch at := bytes.Index(r.Peek(), []byte(secureKey)); {
	case o.Strict:
		pairs.DecodeLiteral(r, greetingStart, "basic")
	case at < 0:
		r.Fail(lobbywire.ErrTruncated, "secure", 0)
	default:
		r.Skip(at, "ignored")
	}
	pairs.DecodeLiteral(r, secureKey, "key")
	m.Secure = r.Text(secureSize, "secure")
}

// NextGreeting cuts a Greeting off the start of a stream. Until b contains the whole
// challenge, the error is [lobbywire.ErrTruncated] itself: read more and call again. On
// error, rest is b. More than [MaxLine] bytes without a challenge are refused.
//
// Final is set only if b contains the whole end mark. Otherwise the mark may still arrive
// before the list: see [CutEnd].
func NextGreeting(b []byte) (m Greeting, rest []byte, err error) {
	r := wire.NewReader(b[:min(len(b), MaxLine)])
	m.decodeSecure(&r, Options{})
	switch err = r.Err(proto); {
	case err == nil:
		rest, m.Final = CutEnd(b[r.Offset():])
		return m, rest, nil
	case !errors.Is(err, lobbywire.ErrTruncated):
	case len(b) > MaxLine:
		err = &lobbywire.Error{Proto: proto, Err: wire.Exceeded(len(b), MaxLine)}
	default:
		err = lobbywire.ErrTruncated
	}
	return Greeting{}, b, err
}

// CutEnd cuts an end mark off the start of b, and reports whether there is one.
//
// After a Greeting without an end mark, b may start with the late end mark of the
// greeting, or be an empty list, which is just an end mark. The mark belongs to the
// greeting if more bytes follow: while rest is empty, wait for them or for the end of
// the connection.
func CutEnd(b []byte) (rest []byte, ok bool) { return bytes.CutPrefix(b, []byte(endMark)) }

// append fails if the challenge does not have 6 bytes, or contains a backslash
// or a zero byte.
func (m *Greeting) append(w *wire.Writer) {
	if len(m.Secure) != secureSize {
		w.Refuse("secure", "does not have 6 bytes")
	}
	w.Text(greetingStart + strings.TrimSuffix(secureKey, `\`))
	pairs.AppendTextAfter(w, slash, m.Secure, "secure")
	if m.Final {
		w.Text(endMark)
	}
}
