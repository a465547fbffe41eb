package wzhttp

import (
	"crypto/ed25519"
	"encoding/base64"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// keySize is the size of a public key, and keyText is the size of its base64
// form.
const (
	keySize = ed25519.PublicKeySize
	keyText = (keySize + 2) / 3 * 4
)

// publicKeyFault returns nil if s is empty or the key of a player, and otherwise
// the reason why not.
func publicKeyFault(s string) error {
	if s == "" {
		return nil
	}
	_, kind := publicKey(s)
	return kind
}

// publicKey returns the key that s contains in base64, or an error. It does not
// allocate for a valid key.
func publicKey(s string) (key [keySize]byte, kind error) {
	var text, again [keyText]byte
	var room [keySize + 1]byte
	copy(text[:], s)
	n, err := base64.StdEncoding.Decode(room[:], text[:])
	key = [keySize]byte(room[:])
	base64.StdEncoding.Encode(again[:], key[:])
	if err != nil || n != keySize || string(again[:]) != s {
		return key, wire.Invalid("is not a key of 32 bytes in base64")
	}
	return key, nil
}

// fromBase64 decodes size bytes in base64, with padding and without line breaks,
// or returns an error with the reason.
func fromBase64(s string, size int, reason string) ([]byte, error) {
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	if err != nil || len(b) != size || len(s) != base64.StdEncoding.EncodedLen(size) {
		return nil, wire.Invalid(reason)
	}
	return b, nil
}

func decodePublicKey(j *wire.JSON, o Options) string { return decodeFaulty(j, o, publicKeyFault) }

func appendPublicKey(w *wire.Writer, field, s string) { appendFaulty(w, field, s, publicKeyFault) }
