package sb2

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Cipher encrypts or decrypts everything that a master sends after a [Head].
// It is a stream cipher: each call continues where the last one ended.
type Cipher struct {
	cards                     [256]uint8
	rotor, ratchet, avalanche uint8
	lastPlain, lastCiphered   uint8
}

// NewCipher returns the cipher of a connection in its initial state. Its key is computed from
// the secret key of the game, the challenge of the client and the challenge of the master; see
// [Head]. It fails if secret is empty.
func NewCipher(secret string, client Challenge, master []byte) (Cipher, error) {
	if secret == "" {
		return Cipher{}, &lobbywire.Error{Proto: proto, Field: "secret", Offset: -1, Err: wire.Invalid("missing")}
	}
	key := client
	for i, b := range master {
		at := i * int(secret[i%len(secret)]) % len(key)
		key[at] ^= key[i%len(key)] ^ b
	}
	return newCipher(key), nil
}

func newCipher(key [8]byte) Cipher {
	var c Cipher
	for i := range c.cards {
		c.cards[i] = uint8(i)
	}
	s := shuffle{key: key[:]}
	for i := len(c.cards) - 1; i >= 0; i-- {
		n := s.next(&c.cards, i)
		c.cards[i], c.cards[n] = c.cards[n], c.cards[i]
	}
	c.rotor, c.ratchet, c.avalanche = c.cards[1], c.cards[3], c.cards[5]
	c.lastPlain, c.lastCiphered = c.cards[7], c.cards[s.sum]
	return c
}

// A shuffle draws numbers from a key.
type shuffle struct {
	key []byte
	at  int // in the key
	sum uint8
}

// maxDraws is the number of times that a number above the limit is drawn again before it is
// reduced.
const maxDraws = 11

// next returns a number of at most limit.
func (s *shuffle) next(cards *[256]uint8, limit int) int {
	if limit == 0 {
		return 0
	}
	mask := 1
	for mask < limit {
		mask = mask<<1 | 1
	}
	for draws := 1; ; draws++ {
		s.sum = cards[s.sum] + s.key[s.at]
		s.at++
		if s.at == len(s.key) {
			s.at = 0
			s.sum += uint8(len(s.key))
		}
		n := mask & int(s.sum)
		if draws > maxDraws {
			n %= limit
		}
		if n <= limit {
			return n
		}
	}
}

// Encrypt encrypts src into dst, which has the same length. They are the same
// slice or do not overlap.
func (c *Cipher) Encrypt(dst, src []byte) { c.combine(dst, src, false) }

// Decrypt decrypts src into dst, which has the same length. They are the same
// slice or do not overlap.
func (c *Cipher) Decrypt(dst, src []byte) { c.combine(dst, src, true) }

// combine encrypts or decrypts src into dst.
func (c *Cipher) combine(dst, src []byte, isCiphered bool) {
	dst = dst[:len(src)]
	cards := &c.cards
	rotor, ratchet, avalanche, lastPlain, lastCiphered := c.rotor, c.ratchet, c.avalanche, c.lastPlain, c.lastCiphered
	for i, b := range src {
		ratchet += cards[rotor]
		rotor++
		swapped := cards[lastCiphered]
		cards[lastCiphered] = cards[ratchet]
		cards[ratchet] = cards[lastPlain]
		cards[lastPlain] = cards[rotor]
		cards[rotor] = swapped
		avalanche += cards[swapped]
		other := b ^ cards[cards[avalanche]+cards[rotor]] ^
			cards[cards[cards[lastPlain]+cards[lastCiphered]+cards[ratchet]]]
		dst[i] = other
		lastPlain, lastCiphered = b, other
		if isCiphered {
			lastPlain, lastCiphered = other, b
		}
	}
	c.rotor, c.ratchet, c.avalanche, c.lastPlain, c.lastCiphered = rotor, ratchet, avalanche, lastPlain, lastCiphered
}
