package wzhttp

import (
	"crypto/ed25519"
	"encoding/base64"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// keySize is the size of a public key, and keyText that of its text.
const (
	keySize = ed25519.PublicKeySize
	keyText = (keySize + 2) / 3 * 4
)

// publicKeyFault returns why s is neither empty nor the key of a player, or nil.
func publicKeyFault(s string) error {
	if s == "" {
		return nil
	}
	_, kind := publicKey(s)
	return kind
}

// publicKey returns the key that s is in base64, or why it is none. It allocates
// nothing for a key.
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

// fromBase64 returns the size bytes that s is in base64, with padding and without
// line breaks, or an error with the reason.
func fromBase64(s string, size int, reason string) ([]byte, error) {
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	if err != nil || len(b) != size || len(s) != base64.StdEncoding.EncodedLen(size) {
		return nil, wire.Invalid(reason)
	}
	return b, nil
}

func decodePublicKey(j *wire.JSON, o Options) string { return decodeFaulty(j, o, publicKeyFault) }

func appendPublicKey(w *wire.Writer, field, s string) { appendFaulty(w, field, s, publicKeyFault) }
