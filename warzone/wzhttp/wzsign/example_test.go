package wzsign_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzsign"
)

// A player signs an attestation, and the lobby verifies it.
func Example() {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		fmt.Println(err)
		return
	}
	player := wzsign.Signer{Key: key, Name: "Anna", Time: time.Unix(1775520000, 0)}
	var nonce [wzhttp.NonceSize]byte
	rand.Read(nonce[:]) // cannot fail
	m, err := player.Attest(wzhttp.Attestation{Lobby: "https://lobby.example", GameID: "G7K2Q"}, nonce)
	if err != nil {
		fmt.Println(err)
		return
	}

	name, _ := m.PlayerName()
	at, _ := m.Unix()
	fmt.Println(name, at, wzsign.VerifyAttestation(m))
	m.GameID = "OTHER"
	fmt.Println(wzsign.VerifyAttestation(m))
	// Output:
	// Anna 1775520000 <nil>
	// wzhttp: sig: invalid value: is not the signature of the key
}
