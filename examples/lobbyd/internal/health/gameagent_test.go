package health

import (
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// Counts that a server has not sent, or that cannot be read, are unknown: not 0 of 0, which is
// full and empty at once.
func TestUnsentCountsAreUnknown(t *testing.T) {
	game := netip.MustParseAddrPort("192.0.2.1:7777")
	for _, tt := range []struct {
		legacy, native, gamespy string
		players, most           int
	}{
		{`\gamename\ut\hostname\x\numplayers\3\maxplayers\8\final\`, "0;challenge;0;players;3;maxplayers;8",
			"\x03\x01\x02\x03\x04gamename\x00ut\x00numplayers\x003\x00maxplayers\x008\x00\x00", 3, 8},
		{`\gamename\ut\hostname\x\numplayers\0\maxplayers\8\final\`, "0;challenge;0;players;0;maxplayers;8",
			"\x03\x01\x02\x03\x04gamename\x00ut\x00numplayers\x000\x00maxplayers\x008\x00\x00", 0, 8},
		{`\gamename\ut\hostname\x\final\`, "0;challenge;0", "\x03\x01\x02\x03\x04gamename\x00ut\x00\x00", -1, -1},
		{`\gamename\ut\hostname\x\maxplayers\8\final\`, "0;challenge;0;maxplayers;8",
			"\x03\x01\x02\x03\x04gamename\x00ut\x00maxplayers\x008\x00\x00", -1, 8},
		{`\gamename\ut\hostname\x\numplayers\3\final\`, "0;challenge;0;players;3",
			"\x03\x01\x02\x03\x04gamename\x00ut\x00numplayers\x003\x00\x00", 3, -1},
		{`\gamename\ut\hostname\x\numplayers\many\maxplayers\\final\`, "0;challenge;0;players;many;maxplayers;",
			"\x03\x01\x02\x03\x04gamename\x00ut\x00numplayers\x00many\x00maxplayers\x00\x00\x00", -1, -1},
	} {
		var j Judge
		legacy := gamespy1net.Entry{Game: game, GameName: "ut", Status: tt.legacy}
		native := gamespy1net.Entry{Game: game, Heartbeat: tt.native}
		gamespy := gamespy2net.Entry{Game: "ut", Addr: game, Heartbeat: tt.gamespy}
		l, n, g := j.gameagentEntry(legacy), j.gameagentEntry(native), j.gameSpyEntry(gamespy)
		for name, got := range map[string][2]int{
			tt.legacy:  {l.Players, l.MaxPlayers},
			tt.native:  {n.Players, n.MaxPlayers},
			tt.gamespy: {g.Players, g.MaxPlayers},
		} {
			if got != [2]int{tt.players, tt.most} {
				t.Errorf("%q: %d of %d, want %d of %d", name, got[0], got[1], tt.players, tt.most)
			}
		}
		for name, c := range map[string]claim{
			tt.legacy: j.gameagentClaim(legacy), tt.native: j.gameagentClaim(native), tt.gamespy: j.gameSpyClaim(gamespy),
		} {
			if c.players != tt.players || c.most != tt.most {
				t.Errorf("%q claims %d of %d", name, c.players, c.most)
			}
		}
	}
}
