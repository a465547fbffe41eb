package gameagent

import (
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A LegacyValidation answers a [LegacySecure].
//
//	\validate\zbGgINC8\final\
//
//wire:message ToMaster
type LegacyValidation struct {
	Validate string // from LegacyValidate
	QueryID  string // "" if there is none
	Extra    []Pair // other pairs, such as those of an answer to \basic\ in the same datagram
}

// validateKey starts a LegacyValidation.
const validateKey = `\validate\`

// decode does not require the end mark.
func (m *LegacyValidation) decode(r *wire.Reader, _ Options) {
	decodeLiteral(r, validateKey, "key")
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
func (m *LegacyValidation) append(w *wire.Writer) {
	if m.Validate == "" {
		w.Refuse("validate", "missing")
	}
	w.Text(validateKey[:len(validateKey)-1])
	appendTextAfter(w, slash, m.Validate, "validate")
	appendReplyRest(w, m.QueryID, m.Extra)
}

// Validation returns the answer to a challenge among the pairs of the status, "" if
// there is none: the servers of Unreal answer all of a [LegacyRequest] in one packet.
func (m LegacyStatus) Validation() string {
	for _, p := range m.Extra {
		if p.Key == strings.Trim(validateKey, `\`) {
			return p.Value
		}
	}
	return ""
}

// LegacyGameKey is the key of Serious Sam, with which the engine answers a
// [LegacyGreeting].
const LegacyGameKey = "AKbna4"

// LegacyValidate returns the answer of a client or server to the challenge of a
// master: 8 characters for a challenge of 6 bytes. It proves that the sender has the
// key of its game. The answer is for encryption type 0. It is the challenge, encrypted
// with a variant of RC4 in which each byte of the challenge also advances the
// first index, then padded with zeros to a multiple of 3 bytes, in base64.
func LegacyValidate(secure, gameKey string) string {
	return string(wire.AppendSecretKeyAnswer(nil, secure, gameKey))
}
