package wzproposal

import "strings"

// A Status is the state of a game, one word in lower case. The proposal defines two
// statuses; decoding keeps others.
type Status string

// The statuses.
const (
	StatusOpen    Status = "open"    // can be joined
	StatusStarted Status = "started" // is being played
)

// valid reports whether s is one word in lower case, of ASCII characters.
func (s Status) valid() bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' || 'A' <= s[i] && s[i] <= 'Z' {
			return false
		}
	}
	return s != ""
}

// lower returns s with ASCII letters in lower case.
func (s Status) lower() Status {
	if strings.IndexFunc(string(s), isUpper) < 0 {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if isUpper(rune(c)) {
			b[i] = c + ('a' - 'A')
		}
	}
	return Status(b)
}

func isUpper(c rune) bool { return 'A' <= c && c <= 'Z' }
