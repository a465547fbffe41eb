package wzhttp

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// An Attestation proves that a player owns a key. It keeps texts in the form of the wire,
// which is signed. The game sends it only to the lobby of its developers, so other lobbies
// cannot require it. Package wzsign signs and verifies it.
//
//wire:object
type Attestation struct {
	PublicKey string                     `wire:"pk"`           // Ed25519 key in base64
	Name      string                     `wire:"name"`         // of the player, in UTF-8 and base64
	Nonce     string                     `wire:"n"`            // NonceSize random bytes in base64
	Lobby     string                     `wire:"l"`            // address of the lobby, as in the player's settings
	GameID    string                     `wire:"gid,omitzero"` // in a JoinRequest
	Time      string                     `wire:"at"`           // seconds since 1970, in decimal digits
	Signature string                     `wire:"sig"`          // in base64
	Extra     map[string]json.RawMessage // unknown members
}

// NonceSize is the number of random bytes in an [Attestation].
const NonceSize = 32

// Signed returns the text that the signature covers.
func (m Attestation) Signed() string { return m.Nonce + m.Time + m.Name + m.Lobby + m.GameID }

// PlayerName returns the name of the player.
func (m Attestation) PlayerName() (string, error) { return attestedName(m.Name) }

// Unix returns the time of the attestation in seconds since 1970.
func (m Attestation) Unix() (int64, error) { return attestedTime(m.Time) }

// attestedName returns the name that s contains in base64.
func attestedName(s string) (string, error) {
	name, err := base64.StdEncoding.Strict().DecodeString(s)
	if err != nil || !utf8.Valid(name) {
		return "", errorIn("name", wire.Invalid("is not UTF-8 in base64"))
	}
	return string(name), nil
}

// attestedTime parses a time in decimal digits.
func attestedTime(s string) (int64, error) {
	at, err := strconv.ParseInt(s, 10, 64)
	if err != nil || strconv.FormatInt(at, 10) != s {
		return 0, errorIn("at", wire.Invalid("is not a number of seconds"))
	}
	return at, nil
}
