package gamespy1

import (
	"bytes"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Secure is the challenge of a master to a server. The server returns a [Validation] to
// the sender, which proves that it receives datagrams at its address and knows the key of
// its game. Serious Sam does not answer it.
//
//	\secure\ABCDEF
//
//wire:message ToServer end=decodeEnd
type Secure struct {
	Secure string `wire:"secure,secure"` // challenge of 6 to 15 bytes, usually 6
}

// Sizes of a challenge. Masters send 6 bytes; the master of 333networks accepts up
// to 15.
const (
	secureSize    = 6
	maxSecureSize = 15
)

// badSecure is the reason for refusing a challenge of another size.
const badSecure = "does not have from 6 to 15 bytes"

// decodeSecure reads a challenge with its key, and an optional backslash after it.
func decodeSecure(r *wire.Reader, field string) string {
	pairs.DecodeLiteral(r, secureKey, "key")
	at := r.Offset()
	secure, ended := r.TextUntil(slash, field)
	secure = trimZeros(secure)
	switch n := len(secure); {
	case n > maxSecureSize:
		r.Exceed(field, at, n, maxSecureSize)
	case n < secureSize && ended:
		r.Refuse(field, at, badSecure)
	case n < secureSize:
		r.Fail(lobbywire.ErrTruncated, field, at)
	}
	return secure
}

// startsWithSecure reports whether b starts with a valid challenge.
func startsWithSecure(b []byte) bool {
	rest, ok := bytes.CutPrefix(b, []byte(secureKey))
	secure, _, _ := bytes.Cut(rest, []byte{slash})
	secure = bytes.TrimRight(secure, "\x00")
	return ok && len(secure) >= secureSize && len(secure) <= maxSecureSize
}

// appendSecure appends the key of a challenge and the challenge.
//
//wire:fails the challenge does not have 6 to 15 bytes, or contains a backslash or a zero byte
func appendSecure(w *wire.Writer, field, secure string) {
	if len(secure) < secureSize || len(secure) > maxSecureSize {
		w.Refuse(field, badSecure)
	}
	w.Text(secureKey[:len(secureKey)-1])
	pairs.AppendTextAfter(w, slash, secure, field)
}
