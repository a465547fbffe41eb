package gameagent

import (
	"bytes"
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

// Texts before the challenge. The engine skips 15 bytes without reading them.
const (
	greetingStart = `\basic\`
	secureKey     = `\secure\`
)

// decode searches for the challenge and ignores the bytes around it, except an end
// mark; with Options.Strict it refuses them. If a stream does not contain the whole
// challenge yet, the error is [lobbywire.ErrTruncated].
func (m *LegacyGreeting) decode(r *wire.Reader, o Options) {
	switch at := bytes.Index(r.Peek(), []byte(secureKey)); {
	case r.Len() > MaxLegacyLine:
		r.Exceed("", 0, r.Len(), MaxLegacyLine)
	case o.Strict:
		decodeLiteral(r, greetingStart, "basic")
	case at < 0:
		r.Fail(lobbywire.ErrTruncated, "secure", 0)
	default:
		r.Skip(at, "ignored")
	}
	decodeLiteral(r, secureKey, "key")
	m.Secure = r.Text(secureSize, "secure")
	if rest := r.Peek(); bytes.HasPrefix(rest, []byte(legacyEnd)) || o.Strict && len(rest) > 0 && startsAs(rest, legacyEnd) {
		decodeLiteral(r, legacyEnd, finalKey)
		m.Final = true
	}
	decodeEnd(r, o)
}

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
