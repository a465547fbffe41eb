package gameagent

import "github.com/lobbywire/lobbywire/internal/secretkey"

// LegacyGameKey is the key of Serious Sam, with which the engine answers a
// [LegacyGreeting].
const LegacyGameKey = "AKbna4"

// LegacyValidate returns the answer of a client or server to the challenge of a
// master: 8 characters for a challenge of 6 bytes. It proves that the sender has the
// key of its game. The answer is for encryption type 0. It is the challenge, encrypted
// with a variant of RC4 in which each byte of the challenge also advances the
// first index, then padded with zeros to a multiple of 3 bytes, in base64.
func LegacyValidate(secure, gameKey string) string {
	return string(secretkey.AppendAnswer(nil, secure, gameKey))
}
