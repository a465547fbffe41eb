package laws

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// TestChecks runs the laws of lobbies that check games.
func (l Lobby) TestChecks(t *testing.T) {
	t.Run("checks", func(t *testing.T) { l.bubble(t, (*lobbyNet).checksGames) })
	t.Run("checks: hosts only", func(t *testing.T) {
		for _, noVerify := range []bool{false, true} {
			l.bubble(t, func(n *lobbyNet) { n.checksHostsOnly(noVerify) })
		}
	})
}

// play opens the port of a game.
func (n *lobbyNet) play(h Host, at netip.AddrPort) *nettest.Listener {
	n.t.Helper()
	ln, err := n.network.Listen(at)
	n.fatalIf(err)
	n.t.Cleanup(func() { ln.Close() })
	if alive, ok := h.(interface{ ServeAlive(net.Listener) error }); ok {
		go alive.ServeAlive(ln)
		return ln
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			c.Close()
		}
	}()
	return ln
}

// A game whose port closes while its host announces it is withheld after some minutes. The host
// learns that, and the game is listed again when its port is open, without being announced anew.
func (n *lobbyNet) checksGames() {
	var mu sync.Mutex
	var refused []lobbywire.Refusal
	lobby := n.New(LobbySettings{Dial: n.network.DialFrom(lobbyAt.Addr()), Refused: func(r lobbywire.Refusal) {
		mu.Lock()
		defer mu.Unlock()
		if !r.Reason.Pending() {
			refused = append(refused, r)
		}
	}})
	n.serve(lobby, lobbyAt)
	h := n.Host(n.settings(hostAt))
	h.SetView(n.view("Game", hostAt))
	at := netip.AddrPortFrom(hostAt, n.gamePort())
	port := n.play(h, at)
	n.run(h)
	wantReason := func(when string, want bool) {
		n.t.Helper()
		synctest.Wait()
		s := h.Status()
		knows := s.Standing == lobbywire.StandingRefused && errors.Is(s.Err, lobbywire.ErrRefused) &&
			strings.Contains(s.Err.Error(), fmt.Sprint(n.gamePort()))
		if n.Tells && knows != want {
			n.t.Errorf("%s: the host knows: %v", when, s)
		}
	}
	time.Sleep(later)
	n.want("for long", "Game")
	wantReason("listed", false)
	mu.Lock()
	if len(refused) > 0 {
		n.t.Errorf("refused before its port is closed: %v", refused)
	}
	mu.Unlock()

	port.Close()
	time.Sleep(2 * time.Minute)
	n.want("closed for two minutes", "Game")
	time.Sleep(withholdTime - 2*time.Minute)
	n.want("closed for seven minutes")
	h.SetView(n.view("Changed", hostAt))
	// The lobby ends connections of silent hosts of 2.0 to 2.2 after 6 hours, so these announce the
	// game again then, and not before: no answer tells them that it is not listed.
	for range 12 * suite.Pick(6, 24) {
		time.Sleep(5 * time.Minute)
		n.want("closed for hours")
	}
	wantReason("withheld", true)
	mu.Lock()
	for _, r := range refused {
		if r.Reason != lobbywire.ReasonUnreachable || r.From != at {
			n.t.Errorf("refused: %v from %v", r, r.From)
		}
	}
	if len(refused) == 0 {
		n.t.Error("the lobby does not report that the game is withheld")
	}
	mu.Unlock()

	n.play(h, at)
	time.Sleep(relistTime)
	n.want("open again", "Changed")
	time.Sleep(10 * time.Minute)
	h.SetView(n.view("Again", hostAt))
	time.Sleep(soon)
	n.want("changed again", "Again")
	wantReason("listed again", false)
	if err := h.Close(); err != nil {
		n.t.Errorf("Close: %v", err)
	}
	n.want("after its end")
}

// A lobby connects only to the games of its hosts, at the addresses that the hosts connect
// from, at a low rate. With NoVerify, it connects to none.
func (n *lobbyNet) checksHostsOnly(noVerify bool) {
	var mu sync.Mutex
	dialed := make(map[string]int)
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		mu.Lock()
		dialed[addr]++
		mu.Unlock()
		return n.network.DialFrom(lobbyAt.Addr())(ctx, network, addr)
	}
	n.serve(n.New(LobbySettings{NoVerify: noVerify, Dial: dial}), lobbyAt)
	at := netip.AddrPortFrom(hostAt, n.gamePort())
	h := n.Host(n.settings(hostAt))
	claim := n.view("Game", hostAt)
	claim.Host = "203.0.113.9"
	h.SetView(claim)
	n.play(h, at)
	n.run(h)
	time.Sleep(time.Hour)
	n.want("for an hour", "Game")
	mu.Lock()
	defer mu.Unlock()
	if got := dialed[at.String()]; len(dialed) > 1 || got > 0 == noVerify || got > 70 {
		n.t.Errorf("NoVerify %v: connected to %v", noVerify, dialed)
	}
}
