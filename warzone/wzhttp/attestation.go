package wzhttp

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// An Attestation proves that a player owns a key. It keeps texts as they are on
// the wire, because they are signed in that form. The game sends it only to the
// lobby of its developers, so other lobbies cannot require it.
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

// Attest returns the attestation of a player at a time in seconds since 1970. gameID
// is "" except in a [JoinRequest]. It fails if key is not a private key.
func Attest(key ed25519.PrivateKey, name string, nonce [NonceSize]byte, lobby, gameID string, unix int64) (Attestation,
	error) {
	if err := checkPrivateKey(key); err != nil {
		return Attestation{}, err
	}
	m := Attestation{
		PublicKey: base64.StdEncoding.EncodeToString(key[ed25519.SeedSize:]),
		Name:      base64.StdEncoding.EncodeToString([]byte(name)),
		Nonce:     base64.StdEncoding.EncodeToString(nonce[:]),
		Lobby:     lobby,
		GameID:    gameID,
		Time:      strconv.FormatInt(unix, 10),
	}
	m.Signature = sign(key, m.signed())
	return m, nil
}

// signed returns the text that the signature covers.
func (m Attestation) signed() string { return m.Nonce + m.Time + m.Name + m.Lobby + m.GameID }

// Verify checks the signature and the form of each text. It does not check Lobby,
// GameID and Time, nor whether Nonce has been used before.
func (m Attestation) Verify() error {
	if _, ok := fromBase64(m.Nonce, NonceSize); !ok {
		return errorIn("n", wire.Invalid("is not 32 bytes in base64"))
	}
	return verify(m.PublicKey, m.Name, m.Time, m.Signature, m.signed())
}

// PlayerName returns the name of the player.
func (m Attestation) PlayerName() (string, error) { return attestedName(m.Name) }

// Unix returns the time of the attestation in seconds since 1970.
func (m Attestation) Unix() (int64, error) { return attestedTime(m.Time) }

// checkPrivateKey fails if key is not a private key.
func checkPrivateKey(key ed25519.PrivateKey) error {
	if len(key) != ed25519.PrivateKeySize {
		return errorIn("key", wire.Invalid("is not an Ed25519 private key"))
	}
	return nil
}

// sign returns the signature of a text in base64.
func sign(key ed25519.PrivateKey, text string) string {
	return base64.StdEncoding.EncodeToString(ed25519.Sign(key, []byte(text)))
}

// verify checks the texts that all signed messages have, and the signature of the
// text signed.
func verify(key, name, at, signature, signed string) error {
	pk, ok := fromBase64(key, ed25519.PublicKeySize)
	if !ok {
		return errorIn("pk", publicKeyOrNoneFault)
	}
	if _, err := attestedName(name); err != nil {
		return err
	}
	if _, err := attestedTime(at); err != nil {
		return err
	}
	sig, ok := fromBase64(signature, ed25519.SignatureSize)
	if !ok {
		return errorIn("sig", wire.Invalid("is not 64 bytes in base64"))
	}
	if !ed25519.Verify(pk[:ed25519.PublicKeySize], []byte(signed), sig[:ed25519.SignatureSize]) {
		return errorIn("sig", wire.Invalid("is not the signature of the key"))
	}
	return nil
}

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
