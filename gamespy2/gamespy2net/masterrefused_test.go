package gamespy2net_test

import (
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// Of 70 servers of an address 64 are registered, and the others are reported.
func TestMasterReportsFullAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var refused []lobbywire.Refusal
		m := &gamespy2net.Master{
			Games:   []gamespy2net.Game{gmtest},
			Refused: func(r lobbywire.Refusal) { refused = append(refused, r) },
		}
		var want []lobbywire.Refusal
		for i := range uint16(70) {
			from := netip.AddrPortFrom(otherServer.Addr(), 7000+i)
			c := challengeIn(t, m.Respond(from, beat{key: instance}.wire(t), nil))
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

func TestMasterReportsRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var refused []lobbywire.Refusal
		m := newMaster()
		m.Refused = func(r lobbywire.Refusal) { refused = append(refused, r) }
		unanswered := beat{key: instance}.wire(t)
		c := challengeIn(t, m.Respond(otherServer, unanswered, nil))
		m.Respond(otherServer, answerTo(t, c, gmtest.Key), nil)
		overIPv6 := netip.MustParseAddrPort("[2001:db8::1]:6500")
		for _, tt := range []struct {
			name    string
			from    netip.AddrPort
			request []byte
			want    lobbywire.Refusal
		}{
			{"no answer to the query", otherServer, unanswered, lobbywire.Refusal{Reason: lobbywire.ReasonUnreachable}},
			{"another game", gameServer, beat{key: instance, game: "unknown"}.wire(t),
				lobbywire.Refusal{Reason: lobbywire.ReasonGame, Game: "unknown"}},
			{"IPv6", overIPv6, unanswered, lobbywire.Refusal{Reason: lobbywire.ReasonAddress}},
		} {
			refused = nil
			m.Respond(tt.from, tt.request, nil)
			tt.want.From = tt.from
			if !slices.Equal(refused, []lobbywire.Refusal{tt.want}) {
				t.Errorf("%s: reported as %v", tt.name, refused)
			}
		}
	})
}

// A flood of refusals calls the program rarely.
func TestMasterReportsFloodRarely(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		m := newMaster()
		m.Refused = func(lobbywire.Refusal) { calls++ }
		foreign := beat{key: instance, game: "unknown"}.wire(t)
		for i := range 100_000 {
			if i%10_000 == 0 {
				time.Sleep(time.Second)
			}
			m.Respond(manyServers(i), foreign, nil)
		}
		if calls == 0 || calls > 11*256 {
			t.Errorf("%d calls in ten seconds", calls)
		}
	})
}
