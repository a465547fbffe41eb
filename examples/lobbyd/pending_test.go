package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/refusals"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// A heartbeat of GameSpy 2 of the game gmtest.
const someHeartbeat = "\x03\x01\x02\x03\x04gamename\x00gmtest\x00hostname\x00Duel\x00localport\x006500\x00" +
	"natneg\x000\x00statechanged\x003\x00\x00\x00\x00\x00\x00"

// wantSummary waits until the summary for 127.0.0.1 has a text.
func wantSummary(t *testing.T, over []string, want string) (x explanation) {
	t.Helper()
	eventually(t, func() string {
		x = explained(t, over, "127.0.0.1")
		if strings.Contains(x.Summary, want) {
			return ""
		}
		return fmt.Sprintf("%q is not in %+v", want, x)
	})
	return x
}

// send sends bytes to a server of lobbyd from 127.0.0.1, and returns the port that they come from.
func (l *running) send(t *testing.T, network, server, data string) (port string) {
	t.Helper()
	c, err := net.Dial(network, l.addr[server])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := c.Write([]byte(data)); err != nil {
		t.Fatal(err)
	}
	_, port, _ = net.SplitHostPort(c.LocalAddr().String())
	return port
}

// A server that has sent a heartbeat, but has not answered, is pending: neither absent nor
// refused.
func TestExplainNamesPendingServers(t *testing.T) {
	for _, tt := range []struct {
		server, data string
		want         string // with the port
	}{
		{"gamespy", someHeartbeat,
			"a heartbeat has arrived, and its challenge has no answer: open the port for UDP (port %s"},
		{"gameagent", "q", "a heartbeat has arrived, and its challenge has no answer: open the port for UDP (port %s"},
		{"gameagent", "0;challenge;0;players;1;maxplayers;8;level;x;gametype;y;version;1;product;serioussam",
			"a heartbeat has arrived, and its challenge has no answer: open the port for UDP (port %s"},
	} {
		l, over := adminOf(t, withGameSpy(t)...)
		port := l.send(t, "udp", tt.server, tt.data)
		x := wantSummary(t, over, fmt.Sprintf(tt.want, port))
		if len(x.Refusals) != 1 || x.Refusals[0].Reason != "challenge" || fmt.Sprint(x.Refusals[0].Port) != port {
			t.Errorf("%+v", x)
		}
		if text := l.get(t, "/api/explain?address=127.0.0.1"); !strings.Contains(text, "its challenge has no answer") {
			t.Errorf("the page is answered with %s", text)
		}
		if got := l.metric(t, `lobbyd_not_listed_total{reason="challenge"}`); got != "0" {
			t.Errorf("%s are counted as refused", got)
		}
	}
}

// The reason why a server was refused once is over when it is listed.
func TestListingEndsEarlierRefusals(t *testing.T) {
	t.Parallel()
	l, over := adminOf(t, withGameSpy(t)...)
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var s gamespy2net.Server
	s.SetView(lobbywire.View{Name: "Duel", Max: new(8), Port: 7777})
	inBackground(t, func() { s.Serve(pc) })
	t.Cleanup(func() { s.Close() })
	register := func(ctx context.Context, key string) {
		r := &gamespy2net.Registration{Server: &s, Addr: l.addr["gamespy"], Conn: pc, Game: gmtest.Name, Key: key}
		inBackground(t, func() { r.Run(ctx) })
	}
	ctx, cancel := context.WithCancel(t.Context())
	register(ctx, "other")
	wantSummary(t, over, "the server does not have the secret key")
	cancel()
	register(t.Context(), gmtest.Key)
	x := wantSummary(t, over, "listed.")
	eventually(t, func() string {
		x = explained(t, over, "127.0.0.1")
		if x.Summary == "Servers of the address are listed." {
			return ""
		}
		return x.Summary
	})
	if len(x.Refusals) != 1 || x.Refusals[0].Reason != "key" || !x.Refusals[0].Over {
		t.Errorf("%+v", x)
	}
}

// A server that is listed at the source of its heartbeats, because a NAT has changed the port that
// they name, is not also reported as unreachable at that port.
func TestServerListedAtItsSourceIsReachable(t *testing.T) {
	t.Parallel()
	l, over := adminOf(t)
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	inBackground(t, func() { answerLegacy(pc, `\gamename\serioussamse\hostname\Duel\final\`) })
	t.Cleanup(func() { pc.Close() })
	silent, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { silent.Close() })
	_, named, _ := net.SplitHostPort(silent.LocalAddr().String())
	master, err := net.ResolveUDPAddr("udp", l.addr["gameagent-legacy"])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pc.WriteTo([]byte(`\heartbeat\`+named+`\gamename\serioussamse`), master); err != nil {
		t.Fatal(err)
	}
	x := wantSummary(t, over, "listed.")
	if x.Summary != "Servers of the address are listed." {
		t.Errorf("%+v", x)
	}
}

// answerLegacy answers each datagram with a text, until pc is closed.
func answerLegacy(pc net.PacketConn, text string) {
	b := make([]byte, 512)
	for {
		_, from, err := pc.ReadFrom(b)
		if err != nil {
			return
		}
		pc.WriteTo([]byte(text), from)
	}
}

// Explanations name requests of hosts to the wrong port or the wrong path.
func TestExplainNamesWrongPortsAndPaths(t *testing.T) {
	t.Parallel()
	const (
		other   = "the request is of another protocol, or for another path: "
		proxied = "PROXY TCP4 192.0.2.7 198.51.100.1 51234 9990\r\n"
	)
	for _, tt := range []struct{ name, network, server, data, want string }{
		{"GameSpy at GameAgent", "udp", "gameagent", someHeartbeat, other + "a heartbeat of GameSpy 2"},
		{"HTTP at Warzone", "tcp", "warzone", "POST /api/v1/game HTTP/1.1\r\n\r\n", other + "HTTP"},
		{"HTTP at a proposal", "tcp", "text", "POST /api/v1/game HTTP/1.1\r\n\r\n", other + "HTTP"},
		{"Warzone at a proposal", "tcp", "json", "gaId\x00", other + "the lobby protocol of Warzone 2100 up to 4.6"},
		{"HTTP at Bomberman", "tcp", "bomberman", "GET / HTTP/1.1\r\n\r\n", other + "HTTP"},
		{"PROXY protocol at Warzone", "tcp", "warzone", proxied, other + "the PROXY protocol"},
		{"version 2 at Warzone", "tcp", "warzone", "\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c", other + "the PROXY protocol"},
		{"PROXY protocol at a proposal", "tcp", "text", proxied, other + "the PROXY protocol"},
		{"PROXY protocol at Bomberman", "tcp", "bomberman", proxied, other + "the PROXY protocol"},
		{"PROXY protocol at the page", "tcp", "web", proxied + "GET / HTTP/1.1\r\n\r\n", other + "the PROXY protocol"},
		{"Warzone at the page", "tcp", "web", "gaId\x00", other + "the lobby protocol of Warzone 2100 up to 4.6"},
		{"a bad frame", "tcp", "bomberman", "x{}", `the request is invalid: the field "length" is not a number`},
		{"without the path of the lobby", "tcp", "web", "POST /api/v1/game HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
			other + "the lobby of Warzone 4.7 is at /lobby"},
		{"another path of the lobby", "tcp", "web",
			"POST /lobby/api/v2/game HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
			other + `"POST /lobby/api/v2/game"`},
		{"a wrong token", "tcp", "web", "PATCH /lobby/api/v1/game/BAAAAAB HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
			`401 "UNAUTHORIZED"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, over := adminOf(t)
			l.send(t, tt.network, tt.server, tt.data)
			wantSummary(t, over, tt.want)
		})
	}
}

// A game of 4.7 whose host announces no port is explained.
func TestExplainNamesGamesWithoutAPort(t *testing.T) {
	l, over := adminOf(t)
	if status, answer := createVia(t, l, ""); status != http.StatusCreated {
		t.Fatalf("%d, %s", status, answer)
	}
	wantSummary(t, over, "it has announced a game, and no port where players can connect to it")
	if path, err := wzhttp.EndpointList.Path(""); err != nil || strings.Contains(l.get(t, lobbyPath+path), "Chess") {
		t.Errorf("it is listed, or %v", err)
	}
}

// If nothing is known about an address, the summary states whether it may have been
// forgotten.
func TestExplainStatesWhatFloodsHide(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for missed, want := range map[uint64]bool{0: false, 4711: true} {
		text := new(explanation).summary(missed, at)
		if !strings.HasPrefix(text, "Nothing is known of the address lately") ||
			strings.Contains(text, "since 2026-01-02 03:04:05 UTC more has arrived than lobbyd can remember: 4711 ") != want {
			t.Errorf("%d: %s", missed, text)
		}
	}
}

func TestRefusalsAreOver(t *testing.T) {
	at := netip.MustParseAddrPort("192.0.2.7:6500")
	then := time.Now()
	for _, tt := range []struct {
		name   string
		server string
		port   uint16
		source uint16 // of the heartbeat
		reason lobbywire.Reason
		seen   time.Duration // after the refusal
		want   bool
	}{
		{"listed since", "gamespy", 6500, 0, lobbywire.ReasonKey, time.Second, true},
		{"refused since", "gamespy", 6500, 0, lobbywire.ReasonUnreachable, -time.Second, false},
		{"another port", "gamespy", 6501, 0, lobbywire.ReasonKey, time.Second, false},
		{"listed at its source", "gamespy", 7778, 6500, lobbywire.ReasonQuery, time.Second, true},
		{"another source", "gamespy", 7778, 6501, lobbywire.ReasonQuery, time.Second, false},
		{"any port", "gamespy", 0, 0, lobbywire.ReasonInvalid, time.Second, true},
		{"another protocol", "gameagent", 6500, 0, lobbywire.ReasonChallenge, time.Second, false},
		{"a proxy", "gamespy", 0, 0, lobbywire.ReasonProxy, time.Second, false},
	} {
		r := refusals.Refusal{Server: tt.server, From: netip.AddrPortFrom(at.Addr(), tt.port), Source: tt.source,
			Reason: tt.reason, Last: then}
		e := &catalogue.Entry{Family: catalogue.GameSpy, At: at, Query: at, Seen: then.Add(tt.seen)}
		if got := r.IsOver(e, e.Seen); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
