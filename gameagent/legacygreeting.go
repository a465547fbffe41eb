package gameagent

import (
	"bytes"
	"errors"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A LegacyGreeting is the first message of a legacy master on a connection for
// its list. It has 21 bytes, or 28 with the end mark that the master of 333networks
// adds:
//
//	\basic\\secure\ABCDEF
//
//	\basic\\secure\ABCDEF\final\
//
// The client answers the challenge with [LegacyValidate], which proves that it
// has the key of its game.
//
//wire:message
type LegacyGreeting struct {
	Secure string // challenge of 6 bytes
	Final  bool   // it ends with the end mark
}

// decode searches for the challenge and ignores the bytes around it, except an end
// mark; with Options.Strict it refuses them. If a stream does not contain the whole
// challenge yet, the error is [lobbywire.ErrTruncated].
func (m *LegacyGreeting) decode(r *wire.Reader, o Options) {
	if r.Len() > MaxLegacyLine {
		r.Exceed("", 0, r.Len(), MaxLegacyLine)
	}
	m.decodeSecure(r, o)
	if rest := r.Peek(); bytes.HasPrefix(rest, []byte(legacyEnd)) || o.Strict && len(rest) > 0 &&
		startsAs(rest, legacyEnd) {
		decodeLiteral(r, legacyEnd, finalKey)
		m.Final = true
	}
	decodeEnd(r, o)
}

// decodeSecure reads the greeting up to the challenge.
func (m *LegacyGreeting) decodeSecure(r *wire.Reader, o Options) {
	switch at := bytes.Index(r.Peek(), []byte(secureKey)); {
	case o.Strict:
		decodeLiteral(r, greetingStart, "basic")
	case at < 0:
		r.Fail(lobbywire.ErrTruncated, "secure", 0)
	default:
		r.Skip(at, "ignored")
	}
	decodeLiteral(r, secureKey, "key")
	m.Secure = r.Text(secureSize, "secure")
}

// NextLegacyGreeting cuts a LegacyGreeting off the start of a stream. While b has less
// than a challenge, the error is [lobbywire.ErrTruncated] itself: read more and call
// again. On error, rest is b. More than [MaxLegacyLine] bytes without a challenge are
// refused.
//
// Final is set only if b has the whole end mark. Otherwise that may still arrive, and
// precede the list: see [CutLegacyEnd].
func NextLegacyGreeting(b []byte) (m LegacyGreeting, rest []byte, err error) {
	r := wire.NewReader(b[:min(len(b), MaxLegacyLine)])
	m.decodeSecure(&r, Options{})
	switch err = r.Err(proto); {
	case err == nil:
		rest, m.Final = CutLegacyEnd(b[r.Offset():])
		return m, rest, nil
	case !errors.Is(err, lobbywire.ErrTruncated):
	case len(b) > MaxLegacyLine:
		err = &lobbywire.Error{Proto: proto, Err: wire.Exceeded(len(b), MaxLegacyLine)}
	default:
		err = lobbywire.ErrTruncated
	}
	return LegacyGreeting{}, b, err
}

// CutLegacyEnd returns b without the end mark that it starts with, and reports whether
// it starts with one.
//
// After a LegacyGreeting without an end mark, b may start with the late end mark of the
// greeting, or be an empty list, which is just an end mark. The mark belongs to the
// greeting if more bytes follow: while rest is empty, wait for them or for the end of
// the connection.
func CutLegacyEnd(b []byte) (rest []byte, ok bool) { return bytes.CutPrefix(b, []byte(legacyEnd)) }

// append fails if the challenge does not have 6 bytes, or contains a backslash
// or a zero byte.
func (m *LegacyGreeting) append(w *wire.Writer) {
	if len(m.Secure) != secureSize {
		w.Refuse("secure", "does not have 6 bytes")
	}
	w.Text(greetingStart + strings.TrimSuffix(secureKey, `\`))
	appendTextAfter(w, slash, m.Secure, "secure")
	if m.Final {
		w.Text(legacyEnd)
	}
}
