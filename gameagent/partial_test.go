package gameagent_test

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
)

var partial = gameagent.Options{Part: true}

// Of a list that is cut anywhere, the whole servers remain.
func TestPartialLegacyServerList(t *testing.T) {
	whole := gameagent.LegacyServerList{Servers: []netip.AddrPort{
		netip.MustParseAddrPort("192.0.2.1:25601"), netip.MustParseAddrPort("192.0.2.2:25601"),
	}}
	b, err := whole.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(b) + 1 {
		m, err := partial.ParseLegacyServerList(b[:n])
		want := whole.Servers[:min(n/6, 2)]
		if err != nil || len(m.Servers) != len(want) {
			t.Errorf("of %d bytes: got %v, %v, want %v", n, m.Servers, err, want)
		}
		if got, want := gameagent.IsLegacyListComplete(b[:n]), n == len(b); got != want {
			t.Errorf("%d bytes are complete: %v, want %v", n, got, want)
		}
	}
	if !gameagent.IsLegacyListComplete(make([]byte, 1<<20)) {
		t.Error("a list that is too long is not complete")
	}
	if gameagent.IsLegacyListComplete(append([]byte{1, 2, 3}, `\final\`...)) {
		t.Error("a list is complete within a server")
	}
}

func TestPartialLegacyStatus(t *testing.T) {
	const text = `\gamename\serioussamse\hostname\Duel`
	if _, err := gameagent.ParseLegacyStatus([]byte(text)); !errors.Is(err, lobbywire.ErrTruncated) {
		t.Errorf("got error %v", err)
	}
	got, err := partial.ParseLegacyStatus([]byte(text))
	want, wantErr := gameagent.ParseLegacyStatus([]byte(text + `\final\`))
	if diff := cmp.Diff(want, got); diff != "" || err != nil || wantErr != nil {
		t.Errorf("%s, %v, %v", diff, err, wantErr)
	}
}

func TestPeekToMaster(t *testing.T) {
	for in, want := range map[string]gameagent.ToMaster{
		"":          nil,
		"e":         gameagent.ListRequest{},
		"e\x01\x02": gameagent.ListRequest{},
		"0":         gameagent.Heartbeat{},

		"0;players;3;x;;challenge;5": gameagent.Heartbeat{},
		"0;players;3;maxplayers;8;level;a;gametype;;version;;gamename;;sessionname;a;challenge;5": nil,
		"0;players;3;maxplayers;8;level;a": nil,
		"q":                                gameagent.Join{},
		"u":                                gameagent.StateChanged{},
		"s":                                nil,
	} {
		if diff := cmp.Diff(want, gameagent.PeekToMaster([]byte(in))); diff != "" {
			t.Errorf("%q: %s", in, diff)
		}
	}
}

func TestIsFromServer(t *testing.T) {
	for in, want := range map[string]bool{
		"":                      false,
		"\x02":                  false,
		"\x04":                  false,
		"\x048":                 true,
		"\x04\\status\\":        false,
		"0;players;1":           true,
		"player_1\x02a":         true,
		`\status\`:              false,
		`\gamename\x\final\`:    true,
		`\info\xserver\status\`: false,
		`\status\\final\`:       false,
		`\secure\ABCDEF\final\`: false,
		`\secure\ABC\final\`:    true,
		`\x\status\final\`:      true,
	} {
		if got := gameagent.IsFromServer([]byte(in)); got != want {
			t.Errorf("%q: %v, want %v", in, got, want)
		}
	}
}
