package wzsign_test

import (
	"crypto/ed25519"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/hexfile"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzsign"
)

const challenge = "0123456789abcdef0123456789abcdef"

// anna returns the signer of the golden files.
func anna() wzsign.Signer {
	return wzsign.Signer{Key: privateKey(), Name: "Anna", Time: time.Unix(1775520000, 0)}
}

// privateKey returns the key of the seed 00 01 .. 1f.
func privateKey() ed25519.PrivateKey {
	seed := make([]byte, ed25519.SeedSize)
	for i := range seed {
		seed[i] = byte(i)
	}
	return ed25519.NewKeyFromSeed(seed)
}

// read returns the bytes of a golden file of the codec.
func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("../testdata/golden/" + name + ".hex")
	if err != nil {
		t.Fatal(err)
	}
	_, b, err := hexfile.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// nonce returns e0 .. ef, twice.
func nonce() (n [wzhttp.NonceSize]byte) {
	for i := range n {
		n[i] = 0xe0 | byte(i&15)
	}
	return n
}

// The golden files have the expected values.
func TestGoldenFilesAreSigned(t *testing.T) {
	create, err := wzhttp.ParseCreate(read(t, "create_full"))
	if err != nil {
		t.Fatal(err)
	}
	join, err := wzhttp.ParseJoinRequest(read(t, "join_slide"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		id   string
		want *wzhttp.Attestation
	}{{"", create.Attestation}, {"G7K2Q", join.Attestation}} {
		got, err := anna().Attest(wzhttp.Attestation{Lobby: "https://lobby.example/x", GameID: tt.id}, nonce())
		if diff := cmp.Diff(*tt.want, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		if err := wzsign.VerifyAttestation(got); err != nil {
			t.Error(err)
		}
		name, err := got.PlayerName()
		if name != "Anna" || err != nil {
			t.Errorf("name %q, %v", name, err)
		}
		at, err := got.Unix()
		if at != anna().Time.Unix() || err != nil {
			t.Errorf("time %d, %v", at, err)
		}
	}
	if _, err := new(wzsign.Signer).Attest(wzhttp.Attestation{}, nonce()); !errors.Is(err, lobbywire.ErrInvalid) {
		t.Errorf("no key: %v", err)
	}
}

func TestVerifyNamesTheWrongField(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*wzhttp.Attestation)
		field  string
	}{
		{"the key of another player", func(m *wzhttp.Attestation) { m.PublicKey = "B" + m.PublicKey[1:] }, "sig"},
		{"no key", func(m *wzhttp.Attestation) { m.PublicKey = "" }, "pk"},
		{"a key with a line break", func(m *wzhttp.Attestation) { m.PublicKey += "\n" }, "pk"},
		{"a short nonce", func(m *wzhttp.Attestation) { m.Nonce = "AAAA" }, "n"},
		{"another nonce", func(m *wzhttp.Attestation) { m.Nonce = "B" + m.Nonce[1:] }, "sig"},
		{"another lobby", func(m *wzhttp.Attestation) { m.Lobby += "/" }, "sig"},
		{"another game", func(m *wzhttp.Attestation) { m.GameID = "x" }, "sig"},
		{"another time", func(m *wzhttp.Attestation) { m.Time = "1775520001" }, "sig"},
		{"a time with a sign", func(m *wzhttp.Attestation) { m.Time = "+1775520000" }, "at"},
		{"no time", func(m *wzhttp.Attestation) { m.Time = "" }, "at"},
		{"a name that is no base64", func(m *wzhttp.Attestation) { m.Name = "Anna!" }, "name"},
		{"a name that is not UTF-8", func(m *wzhttp.Attestation) { m.Name = "/w==" }, "name"},
		{"no signature", func(m *wzhttp.Attestation) { m.Signature = "" }, "sig"},
		{"another signature", func(m *wzhttp.Attestation) { m.Signature = "A" + m.Signature[1:] }, "sig"},
	} {
		m, err := anna().Attest(wzhttp.Attestation{Lobby: "https://lobby.example/x"}, nonce())
		if err != nil {
			t.Fatal(err)
		}
		tt.change(&m)
		err = wzsign.VerifyAttestation(m)
		e, ok := errors.AsType[*lobbywire.Error](err)
		if !ok || !errors.Is(err, lobbywire.ErrInvalid) || e.Field != tt.field || e.Offset != -1 {
			t.Errorf("%s: %v, want an error in %s", tt.name, err, tt.field)
		}
	}
}

func TestReplyIsSignedAsTheGameDoes(t *testing.T) {
	want, err := wzhttp.ParseProbeReply(read(t, "probe_reply_signed"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := anna().Reply(wzhttp.ProbeReply{GameID: "G7K2Q"}, challenge)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if err := wzsign.VerifyReply(want, challenge); err != nil {
		t.Error(err)
	}
	if err := wzsign.VerifyReply(want, challenge[1:]); err == nil {
		t.Error("the signature is valid for another challenge")
	}
	if err := wzsign.VerifyReply(wzhttp.ProbeReply{GameID: "G7K2Q"}, challenge); err == nil {
		t.Error("a reply without a signature is valid")
	}
	name, err := got.HostName()
	if name != "Anna" || err != nil {
		t.Errorf("name %q, %v", name, err)
	}
	if at, err := got.Unix(); at != anna().Time.Unix() || err != nil {
		t.Errorf("time %d, %v", at, err)
	}
	if _, err := (wzsign.Signer{Key: privateKey()[:7]}).Reply(got, ""); !errors.Is(err, lobbywire.ErrInvalid) {
		t.Errorf("half a key: %v", err)
	}
}
