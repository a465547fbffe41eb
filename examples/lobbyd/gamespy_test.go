package main

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/programtest"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// gmtest is the game of the sample programs of GameSpy's SDK.
var gmtest = gamespy2net.Game{Name: "gmtest", Key: "HA6zkS"}

// withGameSpy returns the arguments of a lobbyd with a GameSpy master of gmtest.
func withGameSpy(t *testing.T, args ...string) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "lobbyd.toml")
	text := fmt.Sprintf("[[gamespy.games]]\nname = %q\nkey = %q\n", gmtest.Name, gmtest.Key)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return append(append(anywhere(), "-config", file, "-gamespy", "127.0.0.1:0", "-gamespy-list", "127.0.0.1:0"),
		args...)
}

// registerGameSpy runs a GameSpy server that is registered, and returns its query
// address.
func registerGameSpy(t *testing.T, l *running, name string) netip.AddrPort {
	t.Helper()
	return registerGameSpyFrom(t, l, "127.0.0.1", name)
}

func registerGameSpyFrom(t *testing.T, l *running, host, name string) netip.AddrPort {
	t.Helper()
	pc, err := net.ListenPacket("udp", net.JoinHostPort(host, "0"))
	if err != nil {
		t.Fatal(err)
	}
	var s gamespy2net.Server
	s.SetView(lobbywire.View{Name: name, Map: "Reef", Max: new(8), Port: 7777})
	r := &gamespy2net.Registration{Server: &s, Addr: l.addr["gamespy"], Conn: pc, Game: gmtest.Name, Key: gmtest.Key}
	inBackground(t, func() { s.Serve(pc) })
	inBackground(t, func() { r.Run(t.Context()) })
	t.Cleanup(func() { s.Close() })
	return pc.LocalAddr().(*net.UDPAddr).AddrPort()
}

func (l *running) wantGameSpy(t *testing.T, want ...netip.AddrPort) {
	t.Helper()
	c := gamespy2net.Client{ListEvery: always}
	eventually(t, func() string {
		got, err := c.List(t.Context(), l.addr["gamespy-list"],
			gamespy2net.ListQuery{Game: gmtest.Name, Key: gmtest.Key})
		if err != nil || len(got.Servers) != len(want) {
			return fmt.Sprintf("%v, %v; want %v", got.Servers, err, want)
		}
		targets, _ := got.Targets(t.Context())
		for at := range targets {
			if !slices.Contains(want, at) {
				return fmt.Sprintf("%v is listed", at)
			}
		}
		return ""
	})
}

// A GameSpy server is in the list, on the page and in the metrics. Banning its name
// removes it from the list.
func TestGameSpyServerIsShownEverywhere(t *testing.T) {
	t.Parallel()
	l := start(t, withGameSpy(t, "-ban-pattern", "(?i)forbidden")...)
	at := registerGameSpy(t, l, "Duel")
	registerGameSpy(t, l, "Forbidden")
	l.wantGameSpy(t, at)
	eventually(t, func() string {
		text := l.get(t, "/api/servers?family=gamespy2&q=duel")
		for _, want := range []string{`"name":"Duel"`, `"map":"Reef"`, `"address":"127.0.0.1:7777"`,
			`"reach":"reachable"`} {
			if !strings.Contains(text, want) {
				return text
			}
		}
		return ""
	})
	eventually(t, func() string {
		if got := l.metric(t, `lobbyd_withheld{family="gamespy2"}`); got != "1" {
			return got + " withheld"
		}
		return ""
	})
	for name, want := range map[string]string{
		`lobbyd_listed{family="gamespy2"}`: "1",
		`lobbyd_gamespy_unchecked`:         "0",
		`lobbyd_gamespy_wrong_total`:       "0",
	} {
		if got := l.metric(t, name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	for _, name := range []string{`lobbyd_gamespy_requests_total`, `lobbyd_gamespy_challenges_total`,
		`lobbyd_lists_total{server="gamespy-list"}`} {
		if got := l.metric(t, name); got == "0" {
			t.Errorf("%s is 0", name)
		}
	}
}

// The GameSpy master and the legacy form of GameAgent can share a port, because clients
// of both expect the same one.
func TestGameSpySharesThePortOfTheLegacyForm(t *testing.T) {
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := pc.LocalAddr().String()
	if err := pc.Close(); err != nil {
		t.Fatal(err)
	}
	l := start(t, withGameSpy(t, "-gameagent-legacy", port, "-gamespy", port)...)
	l.wantGameSpy(t, registerGameSpy(t, l, "Duel"))
	l.wantGameAgent(t, registerLegacy(t, l.addr["gamespy"]))
}

// Nodes share the servers of a GameSpy master.
func TestNodesShareGameSpyServers(t *testing.T) {
	suite.Long(t, "elections")
	t.Setenv(secretVariable, "a secret of all the nodes")
	routes := []string{programtest.UnusedAddr(t), programtest.UnusedAddr(t)}
	nodes := make([]*running, 2)
	for i, name := range []string{"a", "b"} {
		nodes[i] = begin(t, withGameSpy(t, "-nats", "embedded", "-name", name, "-cluster", routes[i], "-peer",
			routes[0], "-peer", routes[1])...)
	}
	for _, l := range nodes {
		l.awaitReady(t)
	}
	at := registerGameSpy(t, nodes[0], "on a")
	for _, l := range nodes {
		l.wantGameSpy(t, at)
	}
}

func TestGameSpyGamesAreChecked(t *testing.T) {
	for name, games := range map[string][]gameConfig{
		"no name": {{Key: "a"}}, "no key": {{Name: "a"}}, "twice": {{Name: "a", Key: "a"}, {Name: "a", Key: "b"}},
	} {
		if (gameSpyConfig{Games: games}).check() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
