package gamespy1_test

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
)

var partial = gamespy1.Options{Part: true}

func TestPeekToMasterReadsTheTypeAlone(t *testing.T) {
	for in, want := range map[string]gamespy1.ToMaster{
		"":                         nil,
		"q":                        nil,
		`\heartbeat\`:              gamespy1.Heartbeat{},
		`\heartbeat\1\gamename\x`:  gamespy1.Heartbeat{},
		`\validate\x`:              gamespy1.Validation{},
		`\echo\x\final\`:           nil,
		`x\heartbeat\1\gamename\x`: nil,
	} {
		if diff := cmp.Diff(want, gamespy1.PeekToMaster([]byte(in))); diff != "" {
			t.Errorf("%q: %s", in, diff)
		}
	}
}

func TestIsFromServerRecognizesAnswers(t *testing.T) {
	for in, want := range map[string]bool{
		"":                      false,
		`\status\`:              false,
		`\gamename\x\final\`:    true,
		`\info\xserver\status\`: false,
		`\status\\final\`:       false,
		`\secure\ABCDEF\final\`: false,
		`\secure\ABC\final\`:    true,
		`\x\status\final\`:      true,
	} {
		if got := gamespy1.IsFromServer([]byte(in)); got != want {
			t.Errorf("%q: %v, want %v", in, got, want)
		}
	}
}

// Of a list that is cut anywhere, the whole servers remain.
func TestPartialServerListKeepsWholeServers(t *testing.T) {
	whole := gamespy1.ServerList{Servers: []netip.AddrPort{
		netip.MustParseAddrPort("192.0.2.1:25601"), netip.MustParseAddrPort("192.0.2.2:25601"),
	}}
	b, err := whole.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(b) + 1 {
		m, err := partial.ParseServerList(b[:n])
		want := whole.Servers[:min(n/6, 2)]
		if err != nil || len(m.Servers) != len(want) {
			t.Errorf("of %d bytes: got %v, %v, want %v", n, m.Servers, err, want)
		}
		if got, want := gamespy1.IsListComplete(b[:n]), n == len(b); got != want {
			t.Errorf("%d bytes are complete: %v, want %v", n, got, want)
		}
	}
	if !gamespy1.IsListComplete(make([]byte, 1<<20)) {
		t.Error("a list that is too long is not complete")
	}
	if gamespy1.IsListComplete(append([]byte{1, 2, 3}, `\final\`...)) {
		t.Error("a list is complete within a server")
	}
}

func TestStatusWithoutItsEndIsReadAsPartial(t *testing.T) {
	const text = `\gamename\serioussamse\hostname\Duel`
	if _, err := gamespy1.ParseStatus([]byte(text)); !errors.Is(err, lobbywire.ErrTruncated) {
		t.Errorf("got error %v", err)
	}
	got, err := partial.ParseStatus([]byte(text))
	want, wantErr := gamespy1.ParseStatus([]byte(text + `\final\`))
	if diff := cmp.Diff(want, got); diff != "" || err != nil || wantErr != nil {
		t.Errorf("%s, %v, %v", diff, err, wantErr)
	}
}
