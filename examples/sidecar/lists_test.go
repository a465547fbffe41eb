package main

import (
	"context"
	"errors"
	"net"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// A master of a test serves until the test ends.
type master interface {
	Serve(pc net.PacketConn) error
	Close() error
}

// serveUDP serves a master on loopback, and returns its address.
func serveUDP(t *testing.T, m master) string {
	t.Helper()
	pc, err := new(net.ListenConfig).ListenPacket(t.Context(), "udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- m.Serve(pc) }()
	t.Cleanup(func() {
		m.Close()
		<-done
	})
	return pc.LocalAddr().String()
}

// serveTCP serves with a function until it is closed, and returns its address.
func serveTCP(t *testing.T, serve func(l net.Listener) error, end func() error) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- serve(l) }()
	t.Cleanup(func() {
		end()
		<-done
	})
	return l.Addr().String()
}

// refusingPort returns a TCP address at which nothing listens.
func refusingPort(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// standings returns how each registration stands, by protocol and master.
func (r running) standings() map[string]string {
	all := map[string]string{}
	for _, m := range r.status().Masters {
		all[m.Protocol+"="+m.Master] = m.Standing
	}
	return all
}

// The game is listed where it can be. The status states why it is not listed elsewhere,
// and other registrations are not affected.
func TestGameIsListedWhereItCanBe(t *testing.T) {
	t.Parallel()
	gamespy := &gamespy2net.Master{Games: []gamespy2net.Game{{Name: "duel", Key: "abc123"}}}
	strict := &gamespy2net.Master{Games: []gamespy2net.Game{{Name: "duel", Key: "another"}}}
	gameagent := new(gamespy1net.Master)
	management := new(bombermannet.ManagementServer)
	games := new(warzonegames.Games)
	lobby := &warzonenet.Lobby{Games: games, NoVerify: true}
	web := &wzhttpnet.Lobby{Games: games, NoVerify: true}
	if err := web.Start(); err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(web)
	t.Cleanup(func() {
		web.Close()
		site.Close()
	})

	want := map[string]string{
		"gamespy2=" + serveUDP(t, gamespy):                                 "listed",
		"gamespy2=" + serveUDP(t, strict):                                  "refused",
		"gameagent=" + serveUDP(t, gameagent):                              "listed",
		"bomberman=" + serveTCP(t, management.Serve, management.Close):     "listed",
		"bomberman=" + refusingPort(t):                                     "unreachable",
		"warzone=" + serveTCP(t, lobby.Serve, lobby.Close):                 "listed",
		"warzone=" + refusingPort(t):                                       "unreachable",
		"wzhttp=" + site.URL:                                               "listed",
		"gameagent-legacy=" + serveUDP(t, &gamespy2net.Master{Games: nil}): "unconfirmed",
		"gamespy2=192.0.2.1:0":                                             "unreachable",
	}
	args := []string{"-game", "duel", "-game-key", "abc123", "-public", "127.0.0.1"}
	for at := range want {
		args = append(args, "-register", at)
	}
	r := start(t, nil, args...)
	code, text := r.send(t, "PUT", "/v1/state", `{"name":"Duel","game":"duel","map":"harbor","port":7777,"max":4}`)
	if code != 204 {
		t.Fatal(text)
	}
	eventually(t, "all registrations", func() bool { return cmp.Equal(want, r.standings()) || t.Context().Err() != nil })
	for _, m := range r.status().Masters {
		if (m.Standing == "listed") != (m.Reason == "") {
			t.Errorf("%+v", m)
		}
	}
	if n := len(slices.Collect(gamespy.Servers())); n != 1 {
		t.Errorf("%d servers at the GameSpy master", n)
	}
	if n := len(slices.Collect(gameagent.Servers())); n != 1 {
		t.Errorf("%d servers at the GameAgent master", n)
	}
	listing, err := new(bombermannet.Client).List(t.Context(), managementOf(r))
	if err != nil || len(listing.Servers) != 1 || listing.Servers[0].Name != "Duel" {
		t.Errorf("%+v, error %v at the management server", listing, err)
	}
	r.lists.exit()
	eventually(t, "the lists to be empty", func() bool {
		return len(slices.Collect(gamespy.Servers())) == 0
	})
	for at, standing := range r.standings() {
		if standing != "left" {
			t.Errorf("%s: %s after it has left", at, standing)
		}
	}
}

// managementOf returns the address of the management server that lists the game.
func managementOf(r running) string {
	for _, m := range r.status().Masters {
		if m.Protocol == "bomberman" && m.Standing == "listed" {
			return m.Master
		}
	}
	return ""
}

// A state without an address does not stop a registration for good.
func TestIncompleteStateIsTriedAgain(t *testing.T) {
	management := new(bombermannet.ManagementServer)
	at := serveTCP(t, management.Serve, management.Close)
	r := start(t, nil, "-register", "bomberman="+at)
	r.send(t, "PUT", "/v1/state", `{"name":"Duel"}`)
	eventually(t, "incomplete", func() bool { return r.standings()["bomberman="+at] == "incomplete" })
	r.send(t, "PATCH", "/v1/state", `{"host":"192.0.2.1","port":7777}`)
	eventually(t, "listed", func() bool { return r.standings()["bomberman="+at] == "listed" })
}

// A legacy master cannot list a server whose heartbeats name no game.
func TestLegacyNeedsAGame(t *testing.T) {
	master := new(gamespy1net.Master)
	at := "gameagent-legacy=" + serveUDP(t, master)
	r := start(t, nil, "-game", "serioussamse", "-register", at)
	r.send(t, "PUT", "/v1/state", `{"name":"Duel","port":7777}`)
	eventually(t, "incomplete", func() bool { return r.standings()[at] == "incomplete" })
	r.send(t, "PATCH", "/v1/state", `{"game":"serioussamse"}`)
	eventually(t, "complete", func() bool { return r.standings()[at] != "incomplete" })
}

// An HTTP lobby of Warzone checks the game at the port of the state, and again if the game
// moves to another.
func TestWarzoneFollowsThePort(t *testing.T) {
	checked := make(chan string, 100)
	lobby := &wzhttpnet.Lobby{Dial: func(_ context.Context, _, addr string) (net.Conn, error) {
		checked <- addr
		return nil, errors.New("nobody answers there")
	}}
	if err := lobby.Start(); err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(lobby)
	t.Cleanup(func() {
		lobby.Close()
		site.Close()
	})
	r := start(t, nil, "-register", "wzhttp="+site.URL)
	for state, want := range map[string]string{
		`{"name":"Duel"}`:             "127.0.0.1:2100",
		`{"name":"Duel","port":7777}`: "127.0.0.1:7777",
		`{"name":"Duel","port":7778}`: "127.0.0.1:7778",
	} {
		r.send(t, "PUT", "/v1/state", state)
		eventually(t, want, func() bool {
			select {
			case addr := <-checked:
				return addr == want
			default:
				return false
			}
		})
	}
}

// Zones, and names in any language, are read as in all programs.
func TestPlacesMayHaveZonesAndNames(t *testing.T) {
	for in, want := range map[string]string{
		"sqp=192.0.2.1:7":                "192.0.2.1:7",
		"sqp=[fe80::1%eth0]:7":           "[fe80::1%eth0]:7",
		"bomberman=[::1%1]:7":            "[::1%1]:7",
		"warzone=Müller.example:7":       "xn--mller-kva.example:7",
		"warzone=https://lobby.example":  "https://lobby.example",
		"wzhttp=lobby.example/x":         "lobby.example/x",
		"gamespy2=master.example.org:27": "master.example.org:27",
	} {
		if got, err := placeOf(in); err != nil || got.address != want {
			t.Errorf("%s: %+v, %v", in, got, err)
		}
	}
}

// Flags that a registration needs are checked before anything starts.
func TestRegisterFlagsAreChecked(t *testing.T) {
	for args, want := range map[string]string{
		"-register gamespy2=192.0.2.1:1 -gamespy2 127.0.0.1:0":  "-game",
		"-register gamespy2=192.0.2.1:1 -game duel":             "-gamespy2",
		"-register gameagent=192.0.2.1:1":                       "-gameagent",
		"-register sqp=192.0.2.1:1":                             "there are masters of",
		"-register 192.0.2.1:1":                                 "PROTOCOL=ADDRESS",
		"-register bomberman=[fe80::1%eth0":                     "[IPv6]:PORT",
		"-sqp 127.0.0.1:0 -public example.org:7777":             "without a port",
		"-sqp 127.0.0.1:0 -on-stale leave":                      "-stale",
		"-sqp 127.0.0.1:0 -on-stale x":                          "keep, leave or end",
		"-sqp 127.0.0.1:0 -from bomberman=192.0.2.1:1":          "cannot be asked",
		"-sqp 127.0.0.1:0 -from gamespy2=192.0.2.1:1 -every 0s": "-every",
	} {
		var stderr strings.Builder
		code := run(context.Background(), strings.Fields(args), nil, &stderr, &stderr)
		if code != exitUsage || !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: exit code %d, %s", args, code, &stderr)
		}
	}
}
