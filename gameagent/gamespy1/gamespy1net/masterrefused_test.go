package gamespy1net_test

import (
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// What a master knows of a server of the native form that is not listed.
func TestMasterReportsRefusals(t *testing.T) {
	from := netip.MustParseAddrPort("198.51.100.1:25601")
	for _, tt := range []struct {
		name, request string
		from          netip.AddrPort
		want          []string
	}{
		{"join", "q", from, []string{
			"a heartbeat has arrived, and its challenge has no answer: open the port for UDP (port 25601)"}},
		{"heartbeat without a challenge", "0;challenge;0;players;1", from, []string{
			"a heartbeat has arrived, and its challenge has no answer: open the port for UDP (port 25601)"}},
		{"wrong challenge", "0;challenge;7;players;1", from, []string{
			"the request is invalid: the heartbeat has a wrong or old challenge"}},
		{"IPv6", "q", netip.MustParseAddrPort("[2001:db8::1]:25601"), []string{
			"clients cannot use the address: lists contain only IPv4 addresses, and the server has registered over IPv6"}},
		{"heartbeat of GameSpy 2", "\x03\x01\x02\x03\x04localip0\x00192.168.1.2\x00", from, []string{
			"the request is of another protocol, or for another path: a heartbeat of GameSpy 2"}},
		{"heartbeat of Quake", "\xff\xff\xff\xffheartbeat DarkPlaces\n", from, []string{
			"the request is of another protocol, or for another path: a packet of Quake or Steam"}},
		{"unknown", "\x99\x98\x97", from, []string{"the request is of another protocol, or for another path"}},
		{"request for the list", "e", from, nil},
	} {
		var refused []string
		m := &gamespy1net.Master{Refused: func(r lobbywire.Refusal) { refused = append(refused, r.String()) }}
		m.Respond(tt.from, []byte(tt.request), nil)
		if !slices.Equal(refused, tt.want) {
			t.Errorf("%s is reported as %q, want %q", tt.name, refused, tt.want)
		}
	}
}

// What a master knows of a server of GameSpy, whose heartbeats come from another port
// than the port of its queries.
func TestMasterReportsGameSpyRefusals(t *testing.T) {
	const status = `\gamename\ut\hostname\x\hostport\7777\queryid\1.1\final\`
	silent := func(string) []string { return nil }
	says := func(text string) func(string) []string { return func(string) []string { return []string{text} } }
	wrong := func(req string) (answers []string) {
		if strings.Contains(req, `\status\`) {
			answers = append(answers, status)
		}
		if strings.Contains(req, `\secure\`) {
			answers = append(answers, `\validate\wrong\final\`)
		}
		return answers
	}
	const ports = `(port 7778, heartbeats from port 17778, "ut")`
	const pending = "the server has announced itself, and a query or connection to it has no answer yet: open its port " +
		ports
	for _, tt := range []struct {
		name          string
		validate      bool
		uplink, query func(string) []string
		want          []string // in addition to pending
	}{
		{"silent", false, silent, silent,
			[]string{"the server does not answer at its address " + ports + ": no answer within 2s"}},
		{"another server at the port", false, silent, says("\xff\xff\xff\xffdisconnect"),
			[]string{"what answers at the address of the server is not the server " + ports +
				": gamespy1: separator at byte 0: invalid value: is not the text that such messages have"}},
		{"no answer to the challenge", true, silent, says(status),
			[]string{`the server does not have the secret key of its game ("ut")`}},
		{"wrong answer", true, wrong, wrong, []string{`the server does not have the secret key of its game ("ut")`,
			`the server does not have the secret key of its game ("ut")`}},
		{"wrong answer, which is not required", false, wrong, wrong, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex // Refused may be called by several goroutines at once
				var refused []string
				query := netip.MustParseAddrPort("198.51.100.1:7778")
				n := serveGameSpy(t, &gamespy1net.Master{
					Games: map[string]gamespy1net.Game{"ut": {Key: "secret", Validate: tt.validate}},
					Refused: func(r lobbywire.Refusal) {
						if r.From != query {
							t.Errorf("from %v", r.From)
						}
						mu.Lock()
						defer mu.Unlock()
						refused = append(refused, r.String())
					},
				})
				send, stop := n.host(t, netip.MustParseAddrPort("198.51.100.1:17778"), tt.uplink)
				_, stopQuery := n.host(t, query, tt.query)
				send(`\heartbeat\7778\gamename\ut\`)
				time.Sleep(5 * time.Second)
				synctest.Wait()
				if want := append([]string{pending}, tt.want...); !slices.Equal(refused, want) {
					t.Errorf("reported as %q, want %q", refused, want)
				}
				if got := n.m.Stats().Listed == 1; got != (tt.want == nil) {
					t.Errorf("listed: %v", got)
				}
				stop()
				stopQuery()
				n.close(t)
			})
		})
	}
}
