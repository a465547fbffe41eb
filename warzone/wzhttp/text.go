package wzhttp

import (
	"encoding/base64"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// Reasons for refusing texts.
const (
	validIDFault         wire.Invalid = "is not made of letters, digits, '-' and '_'"
	validTokenFault      wire.Invalid = "is not made of visible ASCII characters"
	hashOrNoneFault      wire.Invalid = "has not 64 lower-case hexadecimal digits"
	publicKeyOrNoneFault wire.Invalid = "is not a key of 32 bytes in base64"
	isEmpty                           = "is empty"
)

// ValidID reports whether a lobby may use id for a game: it has 1 to MaxID letters, digits,
// '-' and '_'. The game puts ids into URLs without escaping them. Players can type an id in
// place of an address, so it must not look like an address.
func ValidID(id string) bool {
	if id == "" || len(id) > MaxID {
		return false
	}
	for _, c := range []byte(id) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// validToken reports whether a header can contain s as a token.
func validToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool { return c <= ' ' || c >= 0x7f })
}

// hashOrNone reports whether s is the hash of a file or empty.
func hashOrNone(s string) bool {
	return s == "" || len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
}

// publicKeyOrNone reports whether s is the key of a player or empty.
func publicKeyOrNone(s string) bool {
	_, ok := fromBase64(s, publicKeySize)
	return s == "" || ok
}

// publicKeySize is the size of a key of Ed25519, in bytes, and the largest size of fromBase64.
const publicKeySize = 32

// fromBase64 decodes size bytes in base64, with padding and without line breaks. The
// result has room for more. It does not allocate.
func fromBase64(s string, size int) (b [publicKeySize + 2]byte, ok bool) {
	if len(s) != base64.StdEncoding.EncodedLen(size) {
		return b, false
	}
	var text [(publicKeySize + 2) / 3 * 4]byte
	n, err := base64.StdEncoding.Strict().Decode(b[:], text[:copy(text[:], s)])
	return b, err == nil && n == size
}

// decodeNonEmpty reads a text that is not empty.
func decodeNonEmpty(j *wirejson.Reader, _ Options) string {
	s := j.Text()
	if s == "" {
		j.Refuse(isEmpty)
	}
	return s
}

// appendNonEmpty appends a text that is not empty.
func appendNonEmpty(w *wire.Writer, field, s string) {
	if s == "" {
		w.Refuse(field, isEmpty)
	}
	wirejson.AppendText(w, field, s)
}
