package main

import (
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// TestInstalledPeersAreMeasured scans with the peers that are installed.
func TestInstalledPeersAreMeasured(t *testing.T) {
	_, rows := udpbench[scanRow](t, "scan", "-games", "sqp-0,gamespy2", "-rounds", suite.Pick("1", "2"),
		"-servers", "20", "-silent", "0", "-peers", "1", "-json")
	if len(rows) != 2 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		want := installed(t.Context(), r.Game)
		if len(r.Peers) != len(want) {
			t.Errorf("%s: %d peers, want %d", r.Game, len(r.Peers), len(want))
		}
		for _, p := range want {
			if got := r.Peers[p.tool.Name]; got.CPU.Median <= 0 || got.Lost != 0 {
				t.Errorf("%s: got %+v", p.tool.Name, got)
			}
		}
	}
}

// TestAnswersOfPeersAreCounted checks what a peer reads, and that its answers are counted.
func TestAnswersOfPeersAreCounted(t *testing.T) {
	suite.Program(t, "grep")
	p := peer{serverType: "GS3", command: []string{"grep", "-x", "GS3 127.0.0.1:[56]"}, answered: "127.0.0.1:"}
	targets := []netip.AddrPort{
		netip.MustParseAddrPort("127.0.0.1:5"),
		netip.MustParseAddrPort("127.0.0.1:6"),
		netip.MustParseAddrPort("127.0.0.1:7"),
	}
	r, err := p.scan(t.Context(), targets)
	if err != nil || r.Answered != 2 {
		t.Errorf("got %d, %v", r.Answered, err)
	}
	if _, err := p.scan(t.Context(), targets[2:]); err == nil {
		t.Error("no error from a peer that fails")
	}
}
