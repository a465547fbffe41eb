package gamespy2net_test

import (
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// Of 70 servers of an address 64 are registered, and the others are reported.
func TestMasterReportsFullAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var refused []lobbywire.Refusal
		m := &gamespy2net.Master{
			Games: []gamespy2net.Game{gmtest},
			Refused: func(r lobbywire.Refusal) {
				if !r.Reason.Pending() {
					r.Missed = 0
					refused = append(refused, r)
				}
			},
		}
		var want []lobbywire.Refusal
		for i := range uint16(70) {
			from := netip.AddrPortFrom(otherServer.Addr(), 7000+i)
			c := challengeIn(t, nettest.Answers(m.Respond(from, beat{key: instance}.wire(t), nil)))
			m.Respond(from, answerTo(t, c, gmtest.Key), nil)
			if i >= 64 {
				want = append(want, lobbywire.Refusal{From: from, Reason: lobbywire.ReasonFullAddress, Limit: 64})
			}
		}
		if !slices.Equal(refused, want) {
			t.Errorf("reported:\n%v\nwant\n%v", refused, want)
		}
		if got := m.Stats(); got.Unchecked != 64 || got.Refused != 6 {
			t.Errorf("%+v", got)
		}
	})
}

// What a master knows of a server that is not listed, at each moment until it is.
func TestMasterReportsRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var refused []lobbywire.Refusal
		m := newMaster()
		m.Refused = func(r lobbywire.Refusal) { refused = append(refused, r) }
		heartbeat := beat{key: instance}.wire(t)
		answer := func() []byte {
			c := challengeIn(t, nettest.Answers(m.Respond(otherServer, heartbeat, nil)))
			refused = nil
			return answerTo(t, c, gmtest.Key)
		}
		overIPv6 := netip.MustParseAddrPort("[2001:db8::1]:6500")
		for _, tt := range []struct {
			name    string
			from    netip.AddrPort
			request []byte
			want    string // "" if nothing is reported
		}{
			{"first heartbeat", otherServer, heartbeat, `a heartbeat has arrived, and its challenge has no answer: ` +
				`open the port for UDP (port 6500, "gmtest")`},
			{"answer to the challenge", otherServer, answer(), `the server has announced itself, and a query or ` +
				`connection to it has no answer yet: open its port (port 6500, "gmtest")`},
			{"another answer than to the query", otherServer, []byte(`\hostname\x\final\`),
				"what answers at the address of the server is not the server (port 6500)"},
			{"no answer to the query", otherServer, heartbeat,
				"the server does not answer at its address (port 6500)"},
			{"another game", gameServer, beat{key: instance, game: "unknown"}.wire(t),
				`servers of the game are not listed here ("unknown")`},
			{"IPv6", overIPv6, heartbeat, "clients cannot use the address: lists contain only IPv4 addresses, and the " +
				"server has registered over IPv6"},
			{"the first protocol", gameServer, []byte(`\heartbeat\6500\gamename\ut\`), "the request is of another protocol, " +
				"or for another path: a heartbeat of the first GameSpy protocol, the legacy form of GameAgent"},
			{"the native form of GameAgent", gameServer, []byte("q"), "the request is of another protocol, or for another " +
				"path: the native form of GameAgent"},
		} {
			refused = nil
			m.Respond(tt.from, tt.request, nil)
			got := ""
			if len(refused) == 1 && refused[0].From == tt.from {
				got = refused[0].String()
			}
			if got != tt.want {
				t.Errorf("%s: reported as %v, want %q", tt.name, refused, tt.want)
			}
		}
		query, _ := m.Respond(otherServer, heartbeat, nil)
		refused = nil
		for _, q := range query {
			var s gamespy2net.Server
			for _, b := range nettest.Answers(s.Respond(gameServer, q, nil)) {
				m.Respond(otherServer, b, nil)
			}
		}
		m.Respond(otherServer, heartbeat, nil)
		if len(refused) > 0 || m.Stats().Listed != 1 {
			t.Errorf("listed, and reported as %v", refused)
		}
	})
}

// A flood of refusals, or of servers that are pending, calls the program rarely, and counts all.
// A flood of one kind does not keep the other from being reported.
func TestMasterReportsFloodRarely(t *testing.T) {
	for _, tt := range []struct {
		game string
		most uint64 // calls a second
	}{{"unknown", 256}, {gmtest.Name, 1024}} {
		synctest.Test(t, func(t *testing.T) {
			var calls, missed uint64
			m := newMaster()
			m.Refused = func(r lobbywire.Refusal) {
				calls++
				missed += r.Missed
			}
			heartbeat := beat{key: instance, game: tt.game}.wire(t)
			all := suite.Pick(20_000, 100_000)
			for i := range all {
				if i%(all/10) == 0 {
					time.Sleep(time.Second)
				}
				m.Respond(manyServers(i), heartbeat, nil)
			}
			if calls == 0 || calls > 11*tt.most {
				t.Errorf("%s: %d calls in ten seconds", tt.game, calls)
			}
			before := calls
			for _, game := range []string{"unknown", gmtest.Name} {
				m.Respond(otherServer, beat{key: instance, game: game}.wire(t), nil)
			}
			if calls == before {
				t.Errorf("%s: nothing else is reported", tt.game)
			}
			time.Sleep(time.Minute)
			m.Respond(otherServer, heartbeat, nil)
			if calls+missed != uint64(all)+3 {
				t.Errorf("%s: %d calls, %d missed", tt.game, calls, missed)
			}
		})
	}
}
