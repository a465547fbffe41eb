package wzhttp

import (
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// hashSize is the number of digits of a hash.
const hashSize = 64

// hashFault returns the reason why s is not the hash of a file, or nil.
func hashFault(s string) error {
	if s != "" && (len(s) != hashSize || strings.Trim(s, "0123456789abcdef") != "") {
		return wire.Invalid("has not 64 lower-case hexadecimal digits")
	}
	return nil
}

func decodeHash(j *wire.JSON, o Options) string { return decodeFaulty(j, o, hashFault) }

func appendHash(w *wire.Writer, field, s string) { appendFaulty(w, field, s, hashFault) }
