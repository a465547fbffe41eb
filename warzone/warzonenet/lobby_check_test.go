package warzonenet

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
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

// A game whose port closes while its host is connected is withheld after some minutes. The host
// learns that from the next status, and the game is listed again when it answers.
func TestLobbyWithholdsClosedPorts(t *testing.T) {
	for _, tt := range []struct {
		name   string
		port   string
		game   warzone.Game
		status bool
	}{
		{"2.0", "9999", gamestest.Record(warzone.Layout20, "Game"), false},
		{"2.1", "9999", gamestest.Record(warzone.Layout21, "Game"), false},
		{"2.2", "2100", gamestest.OfVersion(warzone.Version2, "Game"), true},
		{"2.3", "2100", gamestest.OfVersion(warzone.Version3, "Game"), true},
		{"4.0", "2101", gamestest.OfVersion(warzone.Version4, "Game"), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				var refusals []lobbywire.Refusal
				l := &Lobby{Refused: func(r lobbywire.Refusal) {
					mu.Lock()
					defer mu.Unlock()
					if !r.Reason.Pending() {
						refusals = append(refusals, r)
					}
				}}
				n := startLobby(t, l)
				var id uint32
				port := n.listen(hostAddr+":"+tt.port, alive(&id))
				h := n.connect(hostAddr)
				if tt.game.Version == warzone.Version4 {
					id = h.id()
					tt.game.GameID = id
				}
				h.send(warzone.AddGame{Game: tt.game})
				wantStatus := func(code warzone.StatusCode) {
					t.Helper()
					if tt.status {
						h.wantStatus(code)
					} else {
						h.wantSilence(time.Second)
					}
				}
				wantStatus(warzone.StatusOK)
				h.wait(time.Hour, tt.game.Version)
				gamestest.WantWithheld(t, n.games, only("Game"), nil)

				port.Close()
				h.wait(2*time.Minute, tt.game.Version)
				gamestest.WantWithheld(t, n.games, only("Game"), nil)
				h.wait(withholdTime-2*time.Minute, tt.game.Version)
				gamestest.WantWithheld(t, n.games, nil, only("Game"))
				for range 2 {
					h.send(warzone.Update{Game: tt.game})
					wantStatus(warzone.StatusUnreachable)
				}
				mu.Lock()
				if len(refusals) != 1 || refusals[0].Reason != lobbywire.ReasonUnreachable ||
					refusals[0].From.String() != hostAddr+":"+tt.port {
					t.Errorf("refusals %v", refusals)
				}
				mu.Unlock()

				n.listen(hostAddr+":"+tt.port, alive(&id))
				h.wait(relistTime, tt.game.Version)
				gamestest.WantWithheld(t, n.games, only("Game"), nil)
				h.send(warzone.Update{Game: tt.game})
				wantStatus(warzone.StatusOK)
				h.Close()
				synctest.Wait()
				gamestest.WantWithheld(t, n.games, nil, nil)
			})
		})
	}
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
func TestLobbyWithheldHostReturns(t *testing.T) {
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

// A Lobby connects to the hosts of its games only, and with NoVerify to none.
func TestLobbyChecksItsHostsOnly(t *testing.T) {
	for _, noVerify := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			dialed := make(map[string]int)
			l := &Lobby{NoVerify: noVerify}
			l.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
				mu.Lock()
				defer mu.Unlock()
				dialed[addr]++
				return nil, os.ErrDeadlineExceeded
			}
			n := startLobby(t, l)
			game := gamestest.OfVersion(warzone.Version3, "Game")
			game.Host, game.SecondaryHosts = "203.0.113.9", [2]string{"203.0.113.10"}
			h := n.connect(hostAddr)
			h.send(warzone.AddGame{Game: game})
			if noVerify {
				h.wantStatus(warzone.StatusOK)
			} else {
				h.wantStatus(warzone.StatusUnreachable)
				e := warzonegames.Entry{Key: netip.MustParseAddrPort(hostAddr + ":2100"), Verified: true, Game: game}
				_, err := n.games.Add(e)
				fatalIf(t, err)
			}
			h.wantSilence(time.Hour)
			mu.Lock()
			defer mu.Unlock()
			if got := dialed[hostAddr+":2100"]; len(dialed) > 1 || got > 0 == noVerify {
				t.Errorf("NoVerify %v: connected to %v", noVerify, dialed)
			}
			if listed := len(n.names()) > 0; listed != noVerify {
				t.Errorf("NoVerify %v: listed %v", noVerify, listed)
			}
		})
	}
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
		_, err := n.games.Adopt(e.ID, func(e *warzonegames.Entry) { e.Expires = time.Time{} })
		fatalIf(t, err)
		time.Sleep(relistTime)
		gamestest.WantWithheld(t, n.games, only("Game"), nil)
	})
}
