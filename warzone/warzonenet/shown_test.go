package warzonenet

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// The longest row fits the smallest frame.
func TestShownFitsFrames(t *testing.T) {
	g := gamestest.Named(strings.Repeat("x", 1000))
	g.MapName, g.MaxPlayers = g.Name, 1<<32-1
	e := warzonegames.Entry{Key: netip.MustParseAddrPort("[1111:1111:1111:1111:1111:1111:1111:1111]:65535"), Game: g, Started: true}
	l := ProposalLobby{Encoding: wzproposal.Binary}
	l.server.Once.Do(l.init)
	b, ok := l.row(&e)
	if !ok || len(b) != wzproposal.MaxFrame {
		t.Errorf("%d bytes, %v, want %d", len(b), ok, wzproposal.MaxFrame)
	}
}
