package warzonenet

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// withholdTime is longer than a game that does not answer stays listed, and relistTime longer
// than one that answers again stays withheld.
const (
	withholdTime = 7 * time.Minute
	relistTime   = 90 * time.Second
)

// wait sends Keep messages for a time, unless the host is of a version that sends none.
func (p *lobbyPeer) wait(d time.Duration, version uint32) {
	p.t.Helper()
	for ; d > 0; d -= 25 * time.Second {
		p.wantSilence(25 * time.Second)
		if version == warzone.Version4 {
			p.send(warzone.Keep{})
		}
	}
	synctest.Wait() // the last Keep changes the entry
}

// The port of a game may be that of another game later, or accept connections and not answer.
func TestLobbyWithholdsGamesOfOthers(t *testing.T) {
	other := uint32(7)
	for name, answer := range map[string]func(net.Conn){
		"another game":    alive(&other),
		"nothing":         func(net.Conn) {},
		"silence":         func(c net.Conn) { io.Copy(io.Discard, c) },
		"another service": func(c net.Conn) { c.Write([]byte("220 mail.example ESMTP\r\n")) },
	} {
		synctest.Test(t, func(t *testing.T) {
			n := startLobby(t, new(Lobby))
			var id uint32
			port := n.listen(hostAddr+":2101", alive(&id))
			h := n.connect(hostAddr)
			id = h.id()
			game := gamestest.OfVersion(warzone.Version4, "Game")
			h.send(warzone.AddGame{Game: game})
			h.wantStatus(warzone.StatusOK)
			port.Close()
			n.listen(hostAddr+":2101", answer)
			h.wait(withholdTime+time.Minute, warzone.Version4)
			if names := n.names(); len(names) > 0 {
				t.Errorf("%s: listed %q", name, names)
			}
		})
	}
}

// A host that announces its game again, on another connection, gets it checked at once, as ever.
func TestHostThatReturnsIsCheckedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		port := n.listen(hostAddr+":2100", accepts)
		game := gamestest.OfVersion(warzone.Version2, "Game")
		h := n.connect(hostAddr)
		h.send(warzone.AddGame{Game: game})
		h.wantStatus(warzone.StatusOK)
		port.Close()
		h.wantSilence(withholdTime)
		gamestest.WantWithheld(t, n.games, nil, only("Game"))
		again := n.connect(hostAddr)
		again.send(warzone.AddGame{Game: game})
		again.wantStatus(warzone.StatusUnreachable)
		gamestest.WantWithheld(t, n.games, nil, only("Game"))
		n.listen(hostAddr+":2100", accepts)
		last := n.connect(hostAddr)
		last.send(warzone.AddGame{Game: game})
		last.wantStatus(warzone.StatusOK)
		gamestest.WantWithheld(t, n.games, only("Game"), nil)
	})
}

// A host gives up while its game is checked, and announces it again. The late check does not
// replace the new game, which would end with the old connection.
func TestLateCheckLeavesTheNewGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := new(Lobby)
		dials := make(chan time.Duration, 2) // how long they take
		dials <- time.Second
		dials <- 0
		l.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			time.Sleep(<-dials)
			c, _ := net.Pipe()
			return c, nil
		}
		n := startLobby(t, l)
		game := gamestest.OfVersion(warzone.Version2, "Game")
		first := n.connect(hostAddr)
		first.send(warzone.AddGame{Game: game})
		first.wantSilence(time.Second / 10)
		first.Close()
		again := n.connect(hostAddr)
		again.send(warzone.AddGame{Game: game})
		again.wantStatus(warzone.StatusOK)
		again.wantSilence(time.Minute)
		if names := n.names(); !slices.Equal(names, only("Game")) {
			t.Errorf("listed %q", names)
		}
	})
}

// Nobody at another address can make a game withheld: neither by many games that accept
// connections and do not answer, nor by claiming its port, nor by using up what the lobby
// connects with.
func TestOthersDoNotWithholdAGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, &Lobby{Limits: lobbywire.ConnLimits{MaxPerPrefix: 512}})
		var id uint32
		n.listen(hostAddr+":2101", alive(&id))
		h := n.connect(hostAddr)
		id = h.id()
		game := gamestest.OfVersion(warzone.Version4, "Victim")
		h.send(warzone.AddGame{Game: game})
		h.wantStatus(warzone.StatusOK)
		var attackers []*lobbyPeer
		for i := range 100 {
			from := fmt.Sprintf("203.0.%d.%d", i/10, i%10)
			n.listen(from+":2100", func(c net.Conn) { c.Read(make([]byte, 1)) })
			a := n.connect(from)
			a.send(warzone.AddGame{Game: gamestest.OfVersion(warzone.Version2, "Tar pit")})
			a.wantStatus(warzone.StatusOK)
			claim := n.connect(from)
			claim.send(warzone.AddGame{Game: game}) // with the port and the name of the victim
			claim.wantStatus(warzone.StatusUnreachable)
			attackers = append(attackers, a, claim)
		}
		for range 60 {
			h.wait(time.Minute, warzone.Version4)
			if !slices.Contains(n.names(), "Victim") {
				t.Fatal("the victim is not listed")
			}
		}
		for _, a := range attackers {
			a.Close()
		}
		h.send(warzone.Update{Game: game})
		h.wantStatus(warzone.StatusOK)
	})
}

// A Lobby with NoVerify lists games that another one has withheld, such as one before a restart
// with other settings.
func TestLobbyWithoutChecksListsWithheldGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := warzonegames.Entry{Key: netip.MustParseAddrPort(hostAddr + ":2100"), ID: 7, Verified: true,
			Unreachable: true, Game: gamestest.OfVersion(warzone.Version2, "Game"),
			Opened: time.Now(), Seen: time.Now()}
		n := startLobby(t, &Lobby{NoVerify: true, Games: &warzonegames.Games{Store: handover{e}}})
		synctest.Wait()
		gamestest.WantWithheld(t, n.games, nil, only("Game"))
		_, err := n.games.ForLobbies().Adopt(e.ID, func(e *warzonegames.Entry) { e.Expires = time.Time{} })
		fatalIf(t, err)
		time.Sleep(relistTime)
		gamestest.WantWithheld(t, n.games, only("Game"), nil)
	})
}
