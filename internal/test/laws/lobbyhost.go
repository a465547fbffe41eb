package laws

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
)

// Run fails at once, and connects to nothing, if it could never announce a game.
func (n *lobbyNet) hostIsMisused() {
	noDial := func(context.Context, string, string) (net.Conn, error) {
		n.t.Error("the host connects")
		return nil, net.ErrClosed
	}
	fails := func(name string, h Host, want string) {
		n.t.Helper()
		if err := h.Run(n.t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			n.t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	fails("without a game", n.Host(HostSettings{Lobby: n.Scheme + lobbyAt.String(), Dial: noDial}), "Set")
	for addr, want := range n.BadAddrs {
		h := n.Host(HostSettings{Lobby: addr})
		h.SetView(n.view("Game", hostAt))
		fails(addr, h, want)
	}
	h := n.Host(n.settings(hostAt))
	h.SetView(n.view("Game", hostAt))
	n.fatalIf(h.Close())
	n.fatalIf(h.Close())
	fails("after Close", h, lobbywire.ErrClosed.Error())
}

// A lobby whose name is not found at first lists the game once it is. The failure and its end
// are logged once. Each connection looks up the name.
func (n *lobbyNet) hostWaitsForTheName() {
	n.start(LobbySettings{})
	const name = "lobby.example:9990"
	found := time.Now().Add(time.Hour)
	s := n.settings(hostAt)
	dial := s.Dial
	s.Lobby = n.Scheme + name
	var log bytes.Buffer
	s.Logger = slog.New(slog.NewTextHandler(&log, nil))
	s.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
		if addr != name {
			n.t.Errorf("dialed %s", addr)
		}
		if time.Now().Before(found) {
			return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Name: "lobby.example", Err: "no such host",
				IsNotFound: true}}
		}
		return dial(ctx, network, lobbyAt.String())
	}
	h := n.Host(s)
	h.SetView(n.view("Game", hostAt))
	n.run(h)
	time.Sleep(time.Hour + n.Again)
	n.want("once the name is found", "Game")
	h.Close()
	if got := log.String(); strings.Count(got, "level=WARN") != 1 || strings.Count(got, "\n") != 2 {
		n.t.Errorf("log %s", got)
	}
}

// Run removes the game and returns the cause of its context. It runs again after that, but not
// twice at once.
func (n *lobbyNet) hostEnds() {
	n.start(LobbySettings{})
	h := n.Host(n.settings(hostAt))
	h.SetView(n.view("Game", hostAt))
	for range 2 {
		why := errors.New("why")
		ctx, cancel := context.WithCancelCause(n.t.Context())
		ended := make(chan error, 1)
		go func() { ended <- h.Run(ctx) }()
		time.Sleep(soon)
		n.want("while it runs", "Game")
		if err := h.Run(ctx); err == nil || !strings.Contains(err.Error(), "already running") {
			n.t.Errorf("a second Run: %v", err)
		}
		n.want("after a second Run", "Game")
		cancel(why)
		if err := <-ended; err != why {
			n.t.Errorf("Run returned %v", err)
		}
		n.want("after its end")
	}
	ended := make(chan error, 1)
	go func() { ended <- h.Run(n.t.Context()) }()
	time.Sleep(soon)
	n.want("again", "Game")
	n.fatalIf(h.Close())
	if err := <-ended; err != lobbywire.ErrClosed {
		n.t.Errorf("Run returned %v", err)
	}
	n.want("after Close")
}

// The end of a host does not wait for a lobby that cannot be reached, whether the host connects
// or waits for its next attempt.
func (n *lobbyNet) hostEndsAtOnce() {
	for name, dial := range map[string]Dial{
		"while it connects": func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, context.Cause(ctx)
		},
		"while it waits": func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("unreachable") },
	} {
		s := n.settings(hostAt)
		s.Dial = dial
		h := n.Host(s)
		h.SetView(n.view("Game", hostAt))
		why := errors.New("why")
		ctx, cancel := context.WithCancelCause(n.t.Context())
		ended := make(chan error, 1)
		go func() { ended <- h.Run(ctx) }()
		synctest.Wait()
		start := time.Now()
		cancel(why)
		if err := <-ended; err != why || time.Since(start) > n.Leave {
			n.t.Errorf("%s: %v after %v", name, err, time.Since(start))
		}
	}
}

// The status says whether the lobby is reached, whether it answers, and whether it lists the game.
func (n *lobbyNet) hostSaysHowItStands() {
	w := &statusWatch{t: n.t}
	s := n.settings(hostAt)
	s.Changed = w.changed
	h := n.Host(s)
	h.SetView(n.view("Game", hostAt))
	w.run(h)
	time.Sleep(time.Minute)
	w.want(lobbywire.StandingUnreachable)
	ln, err := n.network.Listen(lobbyAt)
	n.fatalIf(err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			defer c.Close()
		}
	}()
	time.Sleep(n.Again)
	w.want(n.Unheard)
	n.fatalIf(ln.Close())
	<-ended
	n.start(LobbySettings{})
	time.Sleep(n.Again)
	w.want(lobbywire.StandingListed)
	w.end()
}

// A host tries to reach a lobby at growing intervals. It announces its game again when the lobby
// is there, soon if the lobby was lost only for a moment.
func (n *lobbyNet) hostReturns() {
	n.host("Game", hostAt)
	time.Sleep(10 * time.Minute)
	synctest.Wait()
	if got := n.dials.Load(); got < 5 || got > 25 {
		n.t.Errorf("%d attempts in ten minutes without a lobby", got)
	}
	for range 3 {
		lobby := n.start(LobbySettings{})
		time.Sleep(n.Again)
		n.want("after ten minutes", "Game")
		time.Sleep(later)
		n.fatalIf(lobby.Close())
		lobby = n.start(LobbySettings{})
		time.Sleep(n.Return)
		n.want("after a moment", "Game")
		time.Sleep(later)
		n.fatalIf(lobby.Close())
		time.Sleep(10 * time.Minute)
	}
}

// Whatever a lobby answers, a host ends each connection and tries again.
func (n *lobbyNet) hostTakesAnything() {
	answers := goldenFiles(n.t, n.Golden...)
	ln, err := n.network.Listen(lobbyAt)
	n.fatalIf(err)
	served := make(chan struct{})
	go func() {
		defer close(served)
		for _, b := range answers {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			c.SetReadDeadline(time.Now().Add(time.Second))
			c.Read(make([]byte, 4<<10))
			c.SetWriteDeadline(time.Now().Add(time.Second))
			c.Write(append([]byte(n.Head), b...))
			rest(c) // until the host has read it
			c.Close()
		}
	}()
	n.host("Game", hostAt)
	<-served
	n.fatalIf(ln.Close())
	n.start(LobbySettings{})
	time.Sleep(n.Again)
	n.want("by a lobby", "Game")
}

// SetView takes any View, and the game stays listed.
func (n *lobbyNet) hostSendsAnyView() {
	n.start(LobbySettings{})
	h := n.host("Game", hostAt)
	i := 0
	for _, text := range []string{"", "Duel", "x\xffy", "a\x00b", "a\nb\"\\", strings.Repeat("é", 1000),
		strings.Repeat("\xff", 1000), "\u2028"} {
		for _, number := range []*int{nil, new(0), new(-1), new(41), new(math.MaxInt)} {
			i++
			name := fmt.Sprintf("%03d", i)
			h.SetView(lobbywire.View{
				Name: name + text, Map: text, Mode: text, Version: text, Host: hostAt.String(), Port: n.gamePort(),
				Players: number, Max: number, Spectators: number, Password: new(true),
				Mods: slices.Repeat([]string{text, "m"}, 65), Roster: make([]lobbywire.Player, 300),
			})
			time.Sleep(soon)
			if l := n.list(lobbyAt); len(l) != 1 || !strings.HasPrefix(l[0].View.Name, name) {
				n.t.Fatalf("%s%.50q: listed %+v", name, text, l)
			}
		}
	}
	h.SetView(lobbywire.View{}) // a game that some lobbies refuse
	time.Sleep(soon)
	h.SetView(n.view("Last", hostAt))
	time.Sleep(n.Again)
	n.want("after all", "Last")
}

// A host that listens at one address connects from there.
func (l Lobby) hostCallsFromItsListener(t *testing.T) {
	for listener, want := range map[string]string{"127.0.31.3:2100": "127.0.31.3", "0.0.0.0:2100": "127.0.0.1"} {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Skip(err)
		}
		h := l.Host(HostSettings{Lobby: l.Scheme + ln.Addr().String(), NoIPv6: true, Port: l.gamePort()})
		h.SetView(l.view("Game", hostAt))
		h.ListensAt(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(listener)))
		ended := make(chan error, 1)
		go func() { ended <- h.Run(t.Context()) }()
		c, err := ln.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if from := c.RemoteAddr().(*net.TCPAddr).IP.String(); from != want {
			t.Errorf("connects from %s, want %s", from, want)
		}
		ln.Close()
		c.Close()
		h.Close()
		<-ended
	}
}
