package gameagent

import "encoding/binary"

// LegacyGameKey is the key with which the engine answers a [LegacyGreeting].
const LegacyGameKey = "AKbna4"

// alphabet is the alphabet of base64.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// LegacyValidate returns the answer of a client to the challenge of a master: 8
// characters for a challenge of 6 bytes. The client proves that it has the key of
// its game. The answer is for encryption type 0. It is the challenge, encrypted
// with a variant of RC4 in which each byte of the challenge also advances the
// first index, then padded with zeros to a multiple of 3 bytes, in base64.
func LegacyValidate(secure, gameKey string) string {
	var state [256]byte
	for i := range state {
		state[i] = byte(i)
	}
	j := byte(0)
	for i := range state {
		j += state[i]
		if gameKey != "" {
			j += gameKey[i%len(gameKey)]
		}
		state[i], state[j] = state[j], state[i]
	}
	cipher := make([]byte, 0, len(secure)+2)
	i := byte(0)
	j = 0
	for n := range len(secure) {
		i += secure[n] + 1
		j += state[i]
		state[i], state[j] = state[j], state[i]
		cipher = append(cipher, secure[n]^state[state[i]+state[j]])
	}
	for len(cipher)%3 != 0 {
		cipher = append(cipher, 0)
	}
	text := make([]byte, 0, len(cipher)/3*4)
	for ; len(cipher) > 0; cipher = cipher[3:] {
		group := uint32(cipher[0])<<16 | uint32(binary.BigEndian.Uint16(cipher[1:]))
		text = append(text, alphabet[group>>18], alphabet[group>>12&63], alphabet[group>>6&63], alphabet[group&63])
	}
	return string(text)
}
