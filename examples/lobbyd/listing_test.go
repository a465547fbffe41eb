package main

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// inBackground runs f. The test must make it return before the test ends.
func inBackground(t *testing.T, f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	t.Cleanup(func() { <-done })
}

// register runs a GameAgent server that is registered, and returns the address of the
// game.
func register(t *testing.T, l *running) netip.AddrPort {
	t.Helper()
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var s gameagentnet.Server
	r := &gameagentnet.Registration{Server: &s, Addr: l.addr["gameagent"], Conn: pc}
	inBackground(t, func() { s.Serve(pc) })
	inBackground(t, func() { r.Run(t.Context()) })
	t.Cleanup(func() { s.Close() })
	query := pc.LocalAddr().(*net.UDPAddr).AddrPort()
	return netip.AddrPortFrom(query.Addr(), query.Port()-1)
}

// host runs a Warzone host whose game can be reached.
func host(t *testing.T, l *running, name string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &warzonenet.Host{Addr: l.addr["warzone"]}
	err = h.Set(warzone.Game{
		Version: warzone.Version4, Name: name, MapName: "Rush", Size: warzone.SizeOfGame, MaxPlayers: 4,
		HostPort: uint16(ln.Addr().(*net.TCPAddr).Port),
	})
	if err != nil {
		t.Fatal(err)
	}
	inBackground(t, func() { h.ServeAlive(ln) })
	inBackground(t, func() { h.Run(t.Context()) })
	t.Cleanup(func() { h.Close() })
}

func registerBomberman(t *testing.T, l *running, name string) {
	t.Helper()
	r := &bombermannet.Registrar{Addr: l.addr["bomberman"]}
	err := r.Set(bomberman.Server{
		Name: name, Address: "127.0.0.1", Port: 5000, IsLobbyOpen: true,
		Players: bomberman.PlayerCount{Max: 4}, GameplayMode: bomberman.GameplayModeStandardA,
	})
	if err != nil {
		t.Fatal(err)
	}
	inBackground(t, func() { r.Run(t.Context()) })
	t.Cleanup(func() { r.Close() })
}

// always is the interval of clients that never use a cached list.
const always = -1

func (l *running) wantGameAgent(t *testing.T, want netip.AddrPort) {
	t.Helper()
	c := gameagentnet.Client{ListEvery: always, Silence: 20 * time.Millisecond}
	eventually(t, func() string {
		got, err := c.List(t.Context(), l.addr["gameagent"])
		if err != nil || !slices.Contains(got.Queries, netip.AddrPortFrom(want.Addr(), want.Port()+1)) {
			return fmt.Sprintf("%v, %v; want %v", got.Queries, err, want)
		}
		return ""
	})
}

func (l *running) wantWarzone(t *testing.T, want string) warzonenet.Listing {
	t.Helper()
	c := warzonenet.Client{ListEvery: always}
	var got warzonenet.Listing
	eventually(t, func() string {
		var err error
		got, err = c.List(t.Context(), l.addr["warzone"])
		if err != nil || !slices.ContainsFunc(got.Games, func(g warzone.Game) bool { return g.Name == want }) {
			return fmt.Sprintf("%+v, %v; want %s", got.Games, err, want)
		}
		return ""
	})
	return got
}

func (l *running) wantBomberman(t *testing.T, want string) {
	t.Helper()
	c := bombermannet.Client{ListEvery: always}
	eventually(t, func() string {
		got, err := c.List(t.Context(), l.addr["bomberman"])
		if err != nil || !slices.ContainsFunc(got.Servers, func(s bomberman.Server) bool { return s.Name == want }) {
			return fmt.Sprintf("%+v, %v; want %s", got.Servers, err, want)
		}
		return ""
	})
}

// With only ports configured, clients of each protocol get the list of their servers.
// Warzone games are listed in all four protocols.
func TestEverythingIsListed(t *testing.T) {
	l := start(t, append(anywhere(), "-layout21", "127.0.0.1:0", "-layout20", "127.0.0.1:0")...)
	game := register(t, l)
	host(t, l, "deployed")
	registerBomberman(t, l, "bombs")

	ctx := t.Context()
	proposed := map[proposalnet.Proposal]string{proposalnet.Text: "as text", proposalnet.Binary: "as bytes",
		proposalnet.JSON: "as JSON"}
	for p, name := range proposed {
		h := &proposalnet.Host{Addr: l.addr[p.String()], Proposal: p}
		if err := h.Set(proposalnet.Game{Port: 3001 + uint16(p), Name: name}); err != nil {
			t.Fatal(err)
		}
		go h.Run(ctx)
		t.Cleanup(func() { h.Close() })
	}

	l.wantGameAgent(t, game)
	l.wantBomberman(t, "bombs")
	for _, name := range []string{"deployed", "as text", "as bytes", "as JSON"} {
		l.wantWarzone(t, name)
	}
	for p := range proposed {
		c := proposalnet.Client{Proposal: p}
		if list, err := c.List(ctx, l.addr[p.String()]); err != nil || len(list.Games) != 4 {
			t.Errorf("%v: %+v, %v", p, list, err)
		}
	}
	for _, layout := range []struct {
		server string
		layout warzone.Layout
	}{{"layout21", warzone.Layout21}, {"layout20", warzone.Layout20}} {
		c := warzonenet.Client{Options: warzone.Options{Layout: layout.layout}, Silence: time.Millisecond}
		if got, err := c.List(ctx, l.addr[layout.server]); err != nil {
			t.Errorf("%s: %+v, %v", layout.server, got, err)
		}
	}
	if code := l.end(); code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

// Servers that are off do not listen.
func TestServersThatAreOffDoNotListen(t *testing.T) {
	l := start(t, append(anywhere(), "-bomberman", "off", "-gameagent", "", "-motd", "Welcome")...)
	if len(l.addr) != 8 || l.addr["bomberman"]+l.addr["gameagent"] != "" {
		t.Errorf("listens at %v", l.addr)
	}
	host(t, l, "one")
	if got := l.wantWarzone(t, "one"); got.Status == nil || got.Status.Text != "Welcome" {
		t.Errorf("greets with %+v", got.Status)
	}
}

// registerLegacy runs a server that is registered in the legacy form, and returns the
// address of the game.
func registerLegacy(t *testing.T, master string) netip.AddrPort {
	t.Helper()
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	query := pc.LocalAddr().(*net.UDPAddr).AddrPort()
	var s gamespy1net.Server
	err = s.Set(gamespy1.Status{HostName: "Awesome Server", GameName: "serioussamse", MaxPlayers: new(8),
		HostPort: query.Port() - 1})
	if err != nil {
		t.Fatal(err)
	}
	r := &gamespy1net.Registration{Server: &s, Addr: master, Conn: pc}
	inBackground(t, func() { s.Serve(pc) })
	inBackground(t, func() { r.Run(t.Context()) })
	t.Cleanup(func() { s.Close() })
	return netip.AddrPortFrom(query.Addr(), query.Port()-1)
}

// A server that registers in the legacy form is in both lists, and on the page with its
// name.
func TestLegacyServersAreInBothLists(t *testing.T) {
	t.Parallel()
	l := start(t, anywhere()...)
	game := registerLegacy(t, l.addr["gameagent-legacy"])
	l.wantGameAgent(t, game)
	c := gamespy1net.Client{ListEvery: always}
	eventually(t, func() string {
		got, err := c.List(t.Context(), l.addr["gameagent-list"])
		if err != nil || !slices.Contains(got.Queries, netip.AddrPortFrom(game.Addr(), game.Port()+1)) {
			return fmt.Sprintf("legacy list %+v, %v", got, err)
		}
		return ""
	})
	eventually(t, func() string {
		text := l.get(t, "/api/servers?q=SeriousSamSE")
		if !strings.Contains(text, `"source":"legacy"`) || !strings.Contains(text, "Awesome Server") ||
			!strings.Contains(text, game.String()) {
			return text
		}
		return ""
	})
	if got := l.metric(t, "lobbyd_gameagent_checks_total"); got != "1" {
		t.Errorf("%s checks", got)
	}
}

// The port of the GameAgent master differs from the port of GameAgent servers.
func TestDefaultPortsDiffer(t *testing.T) {
	c := defaults()
	for at, want := range map[address]int{
		c.GameAgent.Listen: gameagent.MasterPort, c.GameAgent.Legacy: gamespy1.MasterPort,
		c.GameAgent.List: gamespy1.ListPort, c.Warzone.Listen: warzone.LobbyPort,
		c.Bomberman.Listen: bomberman.Port,
	} {
		if at.hostPort != fmt.Sprintf(":%d", want) {
			t.Errorf("%v, want port %d", at, want)
		}
	}
}
