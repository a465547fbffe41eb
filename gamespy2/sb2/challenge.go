package sb2

// A Challenge is the client's contribution to the key of the cipher, which it
// sends in its [ListRequest]. It has 8 characters; see [MakeChallenge].
type Challenge [8]byte

// Characters in the challenges of GameSpy's client: from minChar to
// minChar+chars-1 or, to make them odd or even, one more.
const (
	minChar = 33
	chars   = 93
)

// MakeChallenge makes a challenge from random bytes, as GameSpy's client does.
// Each character except the first is odd or even according to a rule that
// masters may check.
func MakeChallenge(random [8]byte) Challenge {
	var c Challenge
	for i, b := range random {
		c[i] = minChar + b%chars
	}
	odd := false
	for i := 1; i < len(c); i++ {
		odd = c.nextIsOdd(i, odd)
		if odd != isOdd(c[i]) {
			c[i]++
		}
	}
	return c
}

// nextIsOdd reports whether c[i] must be odd. odd is its result for i-1.
func (c *Challenge) nextIsOdd(i int, odd bool) bool {
	return (isOdd(c[i-1]) != (i%2 == 1)) != (odd != isOdd(c[0])) != ((c[0] < 79) != (c[i-1] < c[0]))
}

func isOdd(b byte) bool { return b&1 == 1 }
