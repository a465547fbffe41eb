package warzonenet

import (
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
)

// Shutdown answers each update that it has begun to read. Another process that continues on
// the connection could not read it again.
func TestLobbyShutdownLosesNoUpdate(t *testing.T) {
	update, err := warzone.Update{Game: gamestest.OfVersion(warzone.Version4, "Game")}.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		updates int // before Shutdown
		size    int // of the last one, in bytes; the rest comes after Shutdown
	}{
		{"part of it has arrived", 1, 100},
		{"it waits for its turn", serving.Burst, len(update)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &Lobby{NoVerify: true}
				n := startLobby(t, l)
				h := n.announce(hostAddr, "Game")
				for range tt.updates - 1 {
					h.Write(update)
				}
				h.Write(update[:tt.size])
				synctest.Wait()
				ended := make(chan error, 1)
				go func() { ended <- l.Shutdown(t.Context()) }()
				time.Sleep(100 * time.Millisecond)
				h.Write(update[tt.size:])
				for range tt.updates {
					h.wantStatus(warzone.StatusOK)
				}
				h.wantEnd()
				if err := <-ended; err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// Games whose connections another process may take over stay in Games after Shutdown, so that
// no list lacks them meanwhile. Those of hosts that leave do not, and neither do others.
func TestLobbyShutdownKeepsGames(t *testing.T) {
	for listed, want := range map[bool]int{true: 1, false: 0} {
		synctest.Test(t, func(t *testing.T) {
			l := &Lobby{NoVerify: true}
			if listed {
				l.Listed = func(net.Conn, uint32) {}
			}
			n := startLobby(t, l)
			n.announce(hostAddr, "Stays")
			n.announce("192.0.2.77", "Leaves").Close()
			synctest.Wait()
			if err := l.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
			if got := n.games.Stats().Listed; got != want {
				t.Errorf("with Listed %v: %d games, want %d", listed, got, want)
			}
		})
	}
}
