package gameagent

import (
	"bytes"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A LegacyGreeting is what a legacy master sends first on a connection for its
// list. 21 bytes:
//
//	\basic\\secure\ABCDEF
//
// The client proves with [LegacyValidate] that it knows its game's key.
type LegacyGreeting struct {
	Secure string // challenge of 6 bytes
}

// What comes before the challenge. The engine takes the challenge from behind
// as many bytes, whatever they are.
const (
	greetingStart = `\basic\`
	secureKey     = `\secure\`
)

// ParseLegacyGreeting reads a [LegacyGreeting]. The challenge is looked for
// anywhere; what surrounds it is ignored. While a stream does not hold it yet the
// error is [lobbywire.ErrTruncated].
func ParseLegacyGreeting(b []byte) (LegacyGreeting, error) { return Options{}.ParseLegacyGreeting(b) }

// ParseLegacyGreeting reads a [LegacyGreeting]. With Strict, it must be as
// masters send it.
func (o Options) ParseLegacyGreeting(b []byte) (LegacyGreeting, error) {
	r := wire.NewReader(b)
	var m LegacyGreeting
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return LegacyGreeting{}, err
	}
	return m, nil
}

// ExplainLegacyGreeting accounts for every byte of a [LegacyGreeting].
func ExplainLegacyGreeting(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "LegacyGreeting", b, func(r *wire.Reader) { new(LegacyGreeting).decode(r, Options{}) })
}

func (m *LegacyGreeting) decode(r *wire.Reader, o Options) {
	switch at := bytes.Index(r.Peek(), []byte(secureKey)); {
	case r.Len() > MaxLegacyLine:
		r.Fail(lobbywire.ErrTooLarge, "", 0)
	case o.Strict:
		decodeLiteral(r, greetingStart, "basic")
	case at < 0:
		r.Fail(lobbywire.ErrTruncated, "secure", 0)
	default:
		r.Skip(at, "ignored")
	}
	decodeLiteral(r, secureKey, "key")
	m.Secure = r.Text(LegacySecureSize, "secure")
	decodeEnd(r, o)
}

// AppendBinary appends the wire form to b. It refuses a challenge that has not 6
// bytes or holds a backslash or a zero byte.
func (m LegacyGreeting) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	if len(m.Secure) != LegacySecureSize {
		w.Fail(lobbywire.ErrInvalid, "secure")
	}
	w.Text(greetingStart + strings.TrimSuffix(secureKey, `\`))
	appendTextAfter(&w, slash, m.Secure, "secure")
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m LegacyGreeting) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseLegacyGreeting] does.
func (m *LegacyGreeting) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseLegacyGreeting(b)
	return err
}
