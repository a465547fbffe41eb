package wzhttp

import (
	"crypto/ed25519"
	"encoding/base64"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wirejson"
)

// Reasons for refusing texts.
const (
	validIDFault         wire.Invalid = "is not made of letters, digits, '-' and '_'"
	validTokenFault      wire.Invalid = "is not made of visible ASCII characters"
	hashOrNoneFault      wire.Invalid = "has not 64 lower-case hexadecimal digits"
	publicKeyOrNoneFault wire.Invalid = "is not a key of 32 bytes in base64"
	isEmpty                           = "is empty"
)

// ValidID reports whether a lobby may use id for a game: it has 1 to MaxID letters,
// digits, '-' and '_'. The game puts ids into URLs without escaping them. Players
// can type an id in place of an address, so it must not look like one.
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
	if s == "" {
		return true
	}
	const digits = (ed25519.PublicKeySize*8 + 5) / 6
	if len(s) != digits+1 || s[digits] != '=' {
		return false
	}
	for i := range digits {
		if !isBase64[s[i]] {
			return false
		}
	}
	// The last digit has only four bits of the key. The other two are 0.
	return strings.IndexByte("AEIMQUYcgkosw048", s[digits-1]) >= 0
}

// isBase64 has the digits of base64.
var isBase64 = [256]bool{
	'A': true, 'B': true, 'C': true, 'D': true, 'E': true, 'F': true, 'G': true, 'H': true,
	'I': true, 'J': true, 'K': true, 'L': true, 'M': true, 'N': true, 'O': true, 'P': true,
	'Q': true, 'R': true, 'S': true, 'T': true, 'U': true, 'V': true, 'W': true, 'X': true,
	'Y': true, 'Z': true, 'a': true, 'b': true, 'c': true, 'd': true, 'e': true, 'f': true,
	'g': true, 'h': true, 'i': true, 'j': true, 'k': true, 'l': true, 'm': true, 'n': true,
	'o': true, 'p': true, 'q': true, 'r': true, 's': true, 't': true, 'u': true, 'v': true,
	'w': true, 'x': true, 'y': true, 'z': true, '0': true, '1': true, '2': true, '3': true,
	'4': true, '5': true, '6': true, '7': true, '8': true, '9': true, '+': true, '/': true,
}

// maxBase64 is the largest size of fromBase64, in bytes.
const maxBase64 = ed25519.SignatureSize

// fromBase64 decodes size bytes in base64, with padding and without line breaks. The
// result has room for more. It does not allocate.
func fromBase64(s string, size int) (b [maxBase64 + 2]byte, ok bool) {
	if len(s) != base64.StdEncoding.EncodedLen(size) {
		return b, false
	}
	var text [(maxBase64 + 2) / 3 * 4]byte
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
