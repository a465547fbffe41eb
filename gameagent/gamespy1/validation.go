package gamespy1

import (
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Validation answers a [Secure].
//
//	\validate\zbGgINC8\final\
//
//wire:message ToMaster
type Validation struct {
	Validate string // from Validate
	QueryID  string // "" if there is none
	Extra    []Pair // other pairs, such as those of an answer to \basic\ in the same datagram
}

// validateKey starts a Validation.
const validateKey = `\validate\`

// decode does not require the end mark.
func (m *Validation) decode(r *wire.Reader, _ Options) {
	pairs.DecodeLiteral(r, validateKey, "key")
	at := r.Offset()
	validate, ended := r.TextUntil(slash, "validate")
	validate = trimZeros(validate)
	switch {
	case validate == "" && ended:
		r.Refuse("validate", at, "missing")
	case validate == "":
		r.Fail(lobbywire.ErrTruncated, "validate", at)
	}
	m.Validate = validate
	m.Extra = decodeReplyRest(r, &m.QueryID)
}

// append fails if Validate is empty, if a text contains a backslash or a zero byte,
// or if Extra holds a key that decoding does not put there.
func (m *Validation) append(w *wire.Writer) {
	if m.Validate == "" {
		w.Refuse("validate", "missing")
	}
	w.Text(validateKey[:len(validateKey)-1])
	pairs.AppendTextAfter(w, slash, m.Validate, "validate")
	appendReplyRest(w, m.QueryID, m.Extra)
}

// Validation returns the answer to a challenge in the pairs of the status, or "" if there
// is none. Servers of Unreal answer all parts of a [Request] in one packet.
func (m Status) Validation() string {
	for _, p := range m.Extra {
		if p.Key == strings.Trim(validateKey, `\`) {
			return p.Value
		}
	}
	return ""
}

// SeriousSamKey is the key of Serious Sam, for [Validate].
const SeriousSamKey = "AKbna4"

// Validate returns the answer of a client or server to the challenge of a master: 8
// characters for a challenge of 6 bytes. It proves that the sender knows the key of its
// game. The answer is for encryption type 0. It is the challenge, encrypted with a variant
// of RC4 in which each byte of the challenge also advances the first index, then padded
// with zeros to a multiple of 3 bytes, in base64.
func Validate(secure, gameKey string) string {
	return string(wire.AppendSecretKeyAnswer(nil, secure, gameKey))
}
