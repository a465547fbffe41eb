package scan

// progress is how far the exchanges with a server have come.
type progress int

const (
	silent  progress = iota
	halfway          // it has answered, for example with a challenge, but with nothing of the result
	some             // a part of the result has arrived
	enough           // the result may be whole, see Try
)

// after returns the progress after a datagram that is not Stray.
func (p progress) after(v Verdict) progress {
	switch v {
	case Try:
		return enough
	case Next:
		return max(p, halfway)
	case More:
		return max(p, some)
	}
	return some
}

// attempts returns the number of attempts at a server. One that has answered is not
// silent, so it gets more before it counts as that.
func (s *Scanner) attempts(p progress) int {
	if p == halfway {
		return 2 * s.Attempts
	}
	return s.Attempts
}
