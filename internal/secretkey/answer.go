// Package secretkey answers the challenges with which masters of GameSpy check that
// a program has the secret key of a game.
package secretkey

import "slices"

// alphabet is the alphabet of base64.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// AppendAnswer appends the answer to a challenge to b: 4 characters for every 3
// bytes of the challenge or fewer. The challenge is encrypted with a variant of RC4
// in which each byte of the challenge also advances the first index. The result is
// padded with zeros to a multiple of 3 bytes and encoded in base64, without the
// character =. All keys and challenges are valid, empty ones included.
func AppendAnswer[T string | []byte](b []byte, challenge T, key string) []byte {
	var state [256]byte
	for i := range state {
		state[i] = byte(i)
	}
	j := byte(0)
	for i := range state {
		j += state[i]
		if key != "" {
			j += key[i%len(key)]
		}
		state[i], state[j] = state[j], state[i]
	}
	i := byte(0)
	j = 0
	b = slices.Grow(b, (len(challenge)+2)/3*4)
	for at := 0; at < len(challenge); at += 3 {
		group := uint32(0)
		for n := range 3 {
			group <<= 8
			if at+n >= len(challenge) {
				continue
			}
			c := challenge[at+n]
			i += c + 1
			j += state[i]
			state[i], state[j] = state[j], state[i]
			group |= uint32(c ^ state[state[i]+state[j]])
		}
		b = append(b, alphabet[group>>18], alphabet[group>>12&63], alphabet[group>>6&63], alphabet[group&63])
	}
	return b
}
