package warzonenet

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
)

// A lobby whose name is not found for a while gets the game then. The failure is logged once.
// Each connection looks up the name.
func TestHostWaitsForTheNameOfItsLobby(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lobby, game := newScriptedLobby(t), gamestest.Named("One")
		h := newHost(lobby, game)
		found := time.Now().Add(time.Hour)
		var log bytes.Buffer
		h.Addr, h.Logger = "lobby.example:9990", slog.New(slog.NewTextHandler(&log, nil))
		h.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			if addr != "lobby.example:9990" {
				t.Errorf("dialed %s", addr)
			}
			if time.Now().Before(found) {
				return nil, &net.DNSError{Name: "lobby.example", Err: "no such host", IsNotFound: true}
			}
			return lobby.network.Dial(ctx, network, scriptedAddr.String())
		}
		gamestest.Run(t, h)
		time.Sleep(time.Hour)
		var notFound *net.DNSError
		if s := h.State(); !errors.As(s.Err, &notFound) {
			t.Errorf("without an address: %+v", s)
		}
		lobby.announced(testID, game, welcome)
		synctest.Wait()
		if s := h.State(); !s.Announced || s.Err != nil {
			t.Errorf("with an address: %+v", s)
		}
		if got := log.String(); strings.Count(got, "level=WARN") != 1 || strings.Count(got, "\n") != 2 {
			t.Errorf("log %s", got)
		}
	})
}
