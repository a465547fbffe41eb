package warzonenet

import (
	"bytes"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Games of 112 bytes have the port that the lobby says: the lobby of 10 April 2009
// has them at the port of later versions.
func TestRecordsHaveThePortOfTheLobby(t *testing.T) {
	for _, tt := range []struct {
		set, want, other uint16
	}{
		{0, warzone.GamePortOf20, warzone.GamePort},
		{warzone.GamePort, warzone.GamePort, warzone.GamePortOf20},
	} {
		synctest.Test(t, func(t *testing.T) {
			host := netip.MustParseAddr(hostAddr)
			games := &warzonegames.Games{RecordPort: tt.set}
			n := startLobby(t, &Lobby{Layout: warzone.Layout21, Games: games})
			n.listen(netip.AddrPortFrom(host, tt.want).String(), accepts)
			n.connect(hostAddr).send(warzone.AddGame{Game: gamestest.Record(warzone.Layout21, "Here")})
			synctest.Wait()
			other := warzonegames.Entry{Key: netip.AddrPortFrom(netip.MustParseAddr("198.51.100.99"), tt.other),
				Game: gamestest.Named("Elsewhere")}
			_, err := games.Add(other)
			fatalIf(t, err)
			if names := n.names(); !cmp.Equal(names, []string{"Here"}) {
				t.Errorf("port %d: listed %q", tt.set, names)
			}
			e, ok := games.ForLobbies().Find(netip.AddrPortFrom(host, tt.want))
			if !ok || e.Game.Name != "Here" {
				t.Errorf("port %d: no game at %d", tt.set, tt.want)
			}
		})
	}
}

// The log says why a game is not listed, also where its host expects no status, in one line a
// minute with the number of others.
func TestLobbyLogsRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		n := startLobby(t, &Lobby{Logger: slog.New(slog.NewTextHandler(&log, nil))})
		h := n.connect(hostAddr)
		h.send(warzone.AddGame{Game: gamestest.Record(warzone.Layout21, "Unreachable")})
		h.wantSilence(5 * time.Second)
		synctest.Wait()
		if got := log.String(); strings.Count(got, "game refused") != 1 || !strings.Contains(got, hostAddr+":9999") ||
			!strings.Contains(got, "error=") {
			t.Errorf("logged %q", got)
		}
		log.Reset()
		nameless := func() {
			c := n.connect("203.0.113.9")
			c.send(warzone.AddGame{Game: gamestest.Named("")})
			c.wantStatus(warzone.StatusNotAcceptable)
			c.Close()
			synctest.Wait()
		}
		for range 1000 {
			nameless()
		}
		if log.Len() > 0 {
			t.Errorf("within a minute: %s", log.String())
		}
		time.Sleep(time.Minute)
		nameless()
		if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "no name") ||
			!strings.Contains(got, "omitted=1000") {
			t.Errorf("after a minute: %s", got)
		}
	})
}
