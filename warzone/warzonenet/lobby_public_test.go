package warzonenet

import (
	"net"
	"net/netip"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A game with an IPv4 and an IPv6 address is listed with the public address of each.
func TestLobbyLinksPublicAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		public := map[netip.Addr]netip.Addr{
			netip.MustParseAddr(hostAddr):  netip.MustParseAddr("203.0.113.7"),
			netip.MustParseAddr("fd00::7"): netip.MustParseAddr("2001:db8::7"),
		}
		n := startLobby(t, &Lobby{NoVerify: true, Games: &warzonegames.Games{
			Public: func(game netip.AddrPort) netip.AddrPort {
				return netip.AddrPortFrom(public[game.Addr()], game.Port())
			},
		}})
		game := gamestest.OfVersion(warzone.Version3, "Game")
		host := n.connect(hostAddr)
		game.GameID = host.id()
		for _, c := range []*lobbyPeer{host, n.connect("fd00::7")} {
			c.send(warzone.AddGame{Game: game})
			c.wantStatus(warzone.StatusOK)
		}
		m, _ := n.list()
		if len(m.Games) != 1 || m.Games[0].Host != "203.0.113.7" || m.Games[0].SecondaryHosts[0] != "2001:db8::7" {
			t.Errorf("listed %+v", m.Games)
		}
	})
}

// A lobby that takes over continues on the connection of a second address that lists have
// as another one.
func TestResumeContinuesPublicAddresses(t *testing.T) {
	to := func(game netip.AddrPort) netip.AddrPort {
		if game.Addr().Is4() {
			return game
		}
		return netip.AddrPortFrom(netip.MustParseAddr("2001:db8::7"), game.Port())
	}
	for _, tt := range []struct {
		name string
		from string
		want error
	}{{"mapped", "fd00::7", nil}, {"another address", "198.51.100.99", warzonegames.ErrGone}} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				games := &warzonegames.Games{Public: to}
				e := gamestest.Add(t, games, warzonegames.Entry{
					Key: netip.MustParseAddrPort(hostAddr + ":2100"), Source: warzonegames.SourceLobby,
					Game: gamestest.OfVersion(warzone.Version3, "Game"),
				})
				_, err := games.Update(e.ID, func(e *warzonegames.Entry) {
					e.Game.SecondaryHosts[0] = "2001:db8::7"
				})
				if err != nil {
					t.Fatal(err)
				}
				ours, theirs := net.Pipe()
				defer theirs.Close()
				at := &net.TCPAddr{IP: net.ParseIP(tt.from), Port: 50000}
				l := &Lobby{NoVerify: true, Games: games}
				defer l.Close()
				s := session{lobby: l, id: e.ID}
				l.server.Once.Do(l.init)
				if err := s.take(remoteConn{ours, at}); err != tt.want {
					t.Fatalf("%v, want %v", err, tt.want)
				}
				if linked := s.linked == e.ID; linked != (tt.want == nil) {
					t.Errorf("linked to %d", s.linked)
				}
			})
		})
	}
}

// A remoteConn is a connection from another address.
type remoteConn struct {
	net.Conn
	from net.Addr
}

func (c remoteConn) RemoteAddr() net.Addr { return c.from }
