// Package wzsign signs and verifies what the hosts and players of Warzone 2100 4.7 prove to a
// lobby: an [wzhttp.Attestation] and an [wzhttp.ProbeReply], with Ed25519. It is apart from the
// codec, because programs that only read messages would be larger with it.
//
// Functions that sign fail if the key is not a private key. Errors are of the kind
// [lobbywire.ErrInvalid].
package wzsign

import (
	"crypto/ed25519"
	"encoding/base64"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// Attest returns the attestation of a player at a time in seconds since 1970. gameID
// is "" except in a [wzhttp.JoinRequest].
func Attest(key ed25519.PrivateKey, name string, nonce [wzhttp.NonceSize]byte, lobby, gameID string,
	unix int64) (wzhttp.Attestation, error) {
	if err := checkPrivateKey(key); err != nil {
		return wzhttp.Attestation{}, err
	}
	m := wzhttp.Attestation{
		PublicKey: publicKey(key),
		Name:      base64.StdEncoding.EncodeToString([]byte(name)),
		Nonce:     base64.StdEncoding.EncodeToString(nonce[:]),
		Lobby:     lobby,
		GameID:    gameID,
		Time:      strconv.FormatInt(unix, 10),
	}
	m.Signature = sign(key, m.Signed())
	return m, nil
}

// Reply returns m signed by the host with this name, at a time in seconds since 1970.
// The challenge is from the [wzhttp.Probe].
func Reply(m wzhttp.ProbeReply, key ed25519.PrivateKey, name, challenge string, unix int64) (wzhttp.ProbeReply, error) {
	if err := checkPrivateKey(key); err != nil {
		return wzhttp.ProbeReply{}, err
	}
	m.PublicKey = publicKey(key)
	m.Name = base64.StdEncoding.EncodeToString([]byte(name))
	m.Time = strconv.FormatInt(unix, 10)
	m.Signature = sign(key, m.Signed(challenge))
	return m, nil
}

// VerifyAttestation checks the signature and the form of each text. It does not check Lobby,
// GameID and Time, nor whether Nonce has been used before.
func VerifyAttestation(m wzhttp.Attestation) error {
	if _, ok := fromBase64(m.Nonce, wzhttp.NonceSize); !ok {
		return invalid("n", "is not 32 bytes in base64")
	}
	if _, err := m.PlayerName(); err != nil {
		return err
	}
	if _, err := m.Unix(); err != nil {
		return err
	}
	return verify(m.PublicKey, m.Signature, m.Signed())
}

// VerifyReply checks the signature and the form of the texts that it covers. The challenge
// is from the [wzhttp.Probe]. VerifyReply does not check GameID, PublicKey and Time.
func VerifyReply(m wzhttp.ProbeReply, challenge string) error {
	if _, err := m.HostName(); err != nil {
		return err
	}
	if _, err := m.Unix(); err != nil {
		return err
	}
	return verify(m.PublicKey, m.Signature, m.Signed(challenge))
}

// checkPrivateKey fails if key is not a private key.
func checkPrivateKey(key ed25519.PrivateKey) error {
	if len(key) != ed25519.PrivateKeySize {
		return invalid("key", "is not an Ed25519 private key")
	}
	return nil
}

// publicKey returns the public half of a key in base64.
func publicKey(key ed25519.PrivateKey) string {
	return base64.StdEncoding.EncodeToString(key[ed25519.SeedSize:])
}

// sign returns the signature of a text in base64.
func sign(key ed25519.PrivateKey, text string) string {
	return base64.StdEncoding.EncodeToString(ed25519.Sign(key, []byte(text)))
}

// verify checks the signature of a text.
func verify(key, signature, signed string) error {
	pk, ok := fromBase64(key, ed25519.PublicKeySize)
	if !ok {
		return invalid("pk", "is not a key of 32 bytes in base64")
	}
	sig, ok := fromBase64(signature, ed25519.SignatureSize)
	if !ok {
		return invalid("sig", "is not 64 bytes in base64")
	}
	if !ed25519.Verify(pk, []byte(signed), sig) {
		return invalid("sig", "is not the signature of the key")
	}
	return nil
}

// fromBase64 decodes size bytes in base64, with padding and without line breaks.
func fromBase64(s string, size int) (b []byte, ok bool) {
	if len(s) != base64.StdEncoding.EncodedLen(size) {
		return nil, false
	}
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	return b, err == nil && len(b) == size
}

// invalid returns the error for a member.
func invalid(field, reason string) error {
	return &lobbywire.Error{Proto: "wzhttp", Field: field, Offset: -1, Err: wire.Invalid(reason)}
}
