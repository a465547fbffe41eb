// Package wzsign signs and verifies the proofs that hosts and players of Warzone 2100 4.7
// send to a lobby: an [wzhttp.Attestation] and an [wzhttp.ProbeReply], with Ed25519. It is
// separate from the codec to keep programs that only read messages small.
//
// Functions that sign fail if the key is not a private key. Errors are of the kind
// [lobbywire.ErrInvalid].
package wzsign

import (
	"crypto/ed25519"
	"encoding/base64"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// A Signer is the identity of a player or host, with the time of a signature.
type Signer struct {
	Key  ed25519.PrivateKey
	Name string
	Time time.Time // sent in seconds
}

// Attest returns m signed by the Signer. The caller sets Lobby and, in a
// [wzhttp.JoinRequest], GameID; Attest sets the other fields. The nonce must be random.
func (s Signer) Attest(m wzhttp.Attestation, nonce [wzhttp.NonceSize]byte) (wzhttp.Attestation, error) {
	if err := checkPrivateKey(s.Key); err != nil {
		return wzhttp.Attestation{}, err
	}
	m.PublicKey, m.Name, m.Time = s.texts()
	m.Nonce = base64.StdEncoding.EncodeToString(nonce[:])
	m.Signature = sign(s.Key, m.Signed())
	return m, nil
}

// Reply returns m signed by the Signer. The challenge is from the [wzhttp.Probe].
func (s Signer) Reply(m wzhttp.ProbeReply, challenge string) (wzhttp.ProbeReply, error) {
	if err := checkPrivateKey(s.Key); err != nil {
		return wzhttp.ProbeReply{}, err
	}
	m.PublicKey, m.Name, m.Time = s.texts()
	m.Signature = sign(s.Key, m.Signed(challenge))
	return m, nil
}

// texts returns the fields in the form of messages.
func (s Signer) texts() (publicKey, name, at string) {
	return base64.StdEncoding.EncodeToString(s.Key[ed25519.SeedSize:]),
		base64.StdEncoding.EncodeToString([]byte(s.Name)), strconv.FormatInt(s.Time.Unix(), 10)
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
