package wzhttp

import (
	"github.com/lobbywire/lobbywire/internal/wire"
)

// ValidID reports whether a lobby may use id for a game: it has 1 to MaxID letters,
// digits, '-' and '_'. The game puts ids into URLs without escaping them. Players
// can type an id in place of an address, so it must not look like one.
func ValidID(id string) bool { return idFault(id) == nil }

// idFault returns the reason why id is not valid, or nil.
func idFault(id string) error {
	if len(id) > MaxID {
		return wire.Exceeded(len(id), MaxID)
	}
	for i := range len(id) {
		switch c := id[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
		default:
			return wire.Invalid("contains other bytes than letters, digits, '-' and '_'")
		}
	}
	if id == "" {
		return wire.Invalid(isEmpty)
	}
	return nil
}

// isEmpty is the reason for refusing an empty text.
const isEmpty = "is empty"

func decodeGameID(j *wire.JSON, o Options) string { return decodeFaulty(j, o, idFault) }

func appendGameID(w *wire.Writer, field, id string) { appendFaulty(w, field, id, idFault) }

// decodeNewID reads the id that a host gets for its game. Hosts refuse an empty
// one.
func decodeNewID(j *wire.JSON, o Options) string {
	id := decodeGameID(j, o)
	if id == "" {
		j.Fail(wire.Invalid(isEmpty))
	}
	return id
}

func appendNewID(w *wire.Writer, field, id string) { appendGameID(w, field, id) }

// decodeToken reads a token that hosts send in a header. They refuse an empty one.
func decodeToken(j *wire.JSON, o Options) string {
	s := decodeFaulty(j, o, tokenFault)
	if s == "" {
		j.Fail(wire.Invalid(isEmpty))
	}
	return s
}

func appendToken(w *wire.Writer, field, s string) { appendFaulty(w, field, s, tokenFault) }

// tokenFault returns the reason why a header cannot contain s as a token, or
// nil.
func tokenFault(s string) error {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f {
			return wire.Invalid("contains other bytes than visible ASCII characters")
		}
	}
	if s == "" {
		return wire.Invalid(isEmpty)
	}
	return nil
}
