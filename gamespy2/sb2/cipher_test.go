package sb2_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// unhex returns the bytes of digits.
func unhex(t testing.TB, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The vectors are what the code of GameSpy's SDK computes. The first key is the one of a
// secret key and two challenges.
func TestCipherAgreesWithTheSDK(t *testing.T) {
	for _, tt := range []struct {
		client sb2.Challenge
		master string
		plain  []byte
		want   string
	}{
		{sb2.Challenge(unhex(t, "2c4a315c274f6d24")), "ABCDEFGHIJKLMNOPQRSTUVWXY", make([]byte, 32),
			"19272f35898f18e4e9a68bf9b635ee5b4f9931e8d4a83ee42f70401bd7d61d26"},
		{sb2.Challenge(unhex(t, "595269540d5e1f48")), "", make([]byte, 32),
			"19272f35898f18e4e9a68bf9b635ee5b4f9931e8d4a83ee42f70401bd7d61d26"},
		{sb2.Challenge([]byte("challeng")), "", []byte("lobbywire"), "7b675f8aa4817f0a38"},
	} {
		cipher, err := sb2.NewCipher("HA6zkS", tt.client, []byte(tt.master))
		if err != nil {
			t.Fatal(err)
		}
		for size := 1; size <= len(tt.plain); size++ {
			encrypt, decrypt := cipher, cipher
			got, back := bytes.Clone(tt.plain), make([]byte, len(tt.plain))
			for at := 0; at < len(got); at += size {
				end := min(at+size, len(got))
				encrypt.Encrypt(got[at:end], got[at:end])
				decrypt.Decrypt(back[at:end], got[at:end])
			}
			if !bytes.Equal(got, unhex(t, tt.want)) {
				t.Errorf("challenge %x, pieces of %d bytes: encrypted as %x, want %s", tt.client, size, got, tt.want)
			}
			if !bytes.Equal(back, tt.plain) {
				t.Errorf("challenge %x, pieces of %d bytes: decrypted as %x, want %x", tt.client, size, back, tt.plain)
			}
		}
	}
}

// Copies of a cipher go on from the same place.
func TestCopiesOfACipherGoOnAlike(t *testing.T) {
	a, _ := sb2.NewCipher("secret", sb2.Challenge{1}, nil)
	a.Encrypt(make([]byte, 10), make([]byte, 10))
	b := a
	one, other := make([]byte, 10), make([]byte, 10)
	a.Encrypt(one, one)
	b.Encrypt(other, other)
	if !bytes.Equal(one, other) {
		t.Errorf("%x, and the copy %x", one, other)
	}
}

// A cipher needs the secret key of the game.
func TestCipherNeedsASecret(t *testing.T) {
	if _, err := sb2.NewCipher("", sb2.Challenge{1}, nil); !errors.Is(err, lobbywire.ErrInvalid) {
		t.Error(err)
	}
}

// The list of a captured answer, encrypted, equals the capture.
func TestAnswerIsThatOfTheCapture(t *testing.T) {
	for _, name := range []string{"", "_filter"} {
		request, err := sb2.ParseListRequest(golden.Read(t, "list_request"+name))
		if err != nil {
			t.Fatal(err)
		}
		list, err := sb2.ParseList(golden.Read(t, "list"+name))
		if err != nil {
			t.Fatal(err)
		}
		want := golden.Read(t, "answer"+name)
		answer, err := sb2.ParseAnswer(want, "HA6zkS", request)
		if err != nil {
			t.Fatal(err)
		}
		answer.List = list
		if got := mustAppend(t, answer); !bytes.Equal(got, want) {
			t.Errorf("answer%s: %x, want %x", name, got, want)
		}
	}
}

// isGenuine reports whether MakeChallenge can make c.
func isGenuine(c sb2.Challenge) bool {
	var random [8]byte
	for i, b := range c {
		random[i] = min(b-33, 92) // 126 is 125 made even
	}
	return sb2.MakeChallenge(random) == c
}

// The challenges of the captures obey the rule of odd and even characters, and so do the
// challenges that we make.
func TestChallengesObeyTheRuleOfCharacters(t *testing.T) {
	for _, name := range []string{"list_request", "list_request_filter"} {
		m, err := sb2.ParseListRequest(golden.Read(t, name))
		if err != nil {
			t.Fatal(err)
		}
		if !isGenuine(m.Challenge) {
			t.Errorf("%s: %q", name, m.Challenge)
		}
	}
	seen := map[sb2.Challenge]bool{}
	for i := range 10_000 {
		random := [8]byte([]byte(fmt.Sprintf("%08x", uint32(i)*2654435761))[:8])
		c := sb2.MakeChallenge(random)
		seen[c] = true
		if !isGenuine(c) {
			t.Errorf("%x makes %q", random, c)
		}
		for _, b := range c {
			if b < 33 || b > 126 {
				t.Errorf("%x makes %q", random, c)
			}
		}
		c[7] ^= 1
		if isGenuine(c) {
			t.Errorf("%q is genuine", c)
		}
	}
	if len(seen) < 9_000 {
		t.Errorf("%d challenges", len(seen))
	}
}
