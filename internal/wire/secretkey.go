package wire

import "slices"

// base64Alphabet is in the order of the digits.
const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// AppendSecretKeyAnswer appends the answer to a challenge. It proves to a master of GameSpy that
// a program has the secret key of a game, and has 4 characters for every 3 bytes of the challenge
// or fewer. The challenge is encrypted with a variant of RC4: each byte of the challenge also
// advances the first index. The result is padded with zeros to a multiple of 3 bytes and encoded
// in base64, without the character =. All keys and challenges are valid, empty ones included.
func AppendSecretKeyAnswer[T string | []byte](b []byte, challenge T, key string) []byte {
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
		b = append(b,
			base64Alphabet[group>>18],
			base64Alphabet[group>>12&63],
			base64Alphabet[group>>6&63],
			base64Alphabet[group&63],
		)
	}
	return b
}
