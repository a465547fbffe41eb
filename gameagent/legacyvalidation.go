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
