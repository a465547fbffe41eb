package wzhttpnet

import (
	"crypto/ed25519"
	"crypto/rand"
	"net/url"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzsign"
)

// An Identity proves the identity of a player or host to one lobby. Other lobbies receive
// no signatures.
type Identity struct {
	Key     ed25519.PrivateKey
	Name    string // of the player
	Trusted string // host name of the lobby that receives signatures, only over HTTPS
}

// trusts reports whether the lobby at an address receives signatures.
func (i *Identity) trusts(addr string) bool {
	base, err := wzhttp.BaseURL(addr)
	if i == nil || i.Trusted == "" || err != nil {
		return false
	}
	u, err := url.Parse(base)
	return err == nil && u.Scheme == "https" && strings.EqualFold(u.Hostname(), i.Trusted)
}

// attest returns a signature for the lobby at an address, or nil if it receives none.
func (i *Identity) attest(addr, gameID string) (*wzhttp.Attestation, error) {
	if !i.trusts(addr) {
		return nil, nil
	}
	var nonce [wzhttp.NonceSize]byte
	rand.Read(nonce[:]) // cannot fail
	signer := wzsign.Signer{Key: i.Key, Name: i.Name, Time: time.Now()}
	a, err := signer.Attest(wzhttp.Attestation{Lobby: addr, GameID: gameID}, nonce)
	if err != nil {
		return nil, err
	}
	return &a, nil
}
