package bomberman

import "github.com/lobbywire/lobbywire/internal/wire"

// RegisterPlayer asks a game server, in its lobby, to let the client play under
// a name. The server answers with a [RegisterPlayerResponse]. Closing the
// connection ends the registration.
//
// Unless Strict, decoding keeps any name, because the server must answer that it
// rejects it.
//
//wire:message Message command=gsRegisterPlayer
type RegisterPlayer struct {
	Name string `wire:"name,should=ValidName,plain"` // ASCII letters and digits; see ValidName
	Envelope
}

// validNameFault is the reason for refusing a name.
const validNameFault wire.Invalid = "is not one or more letters A to Z and digits"

// ValidName reports whether a player may register under name: it consists of at
// least one character, all of them A to Z, a to z, or digits.
func ValidName(name string) bool {
	for _, c := range []byte(name) {
		if !isLetter(c) && !isDigit(c) {
			return false
		}
	}
	return name != ""
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
