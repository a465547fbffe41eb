package gamespy1net_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// The master openspy-core adds an end mark to each message. Its queries have a text, which it
// expects in the first datagram of the answer, but not at its start. Otherwise it removes the
// server.
func TestRegistrationRepeatsTextsOfOpenSpy(t *testing.T) {
	master := netip.MustParseAddrPort("192.0.2.54:27900")
	for _, players := range []int{0, 2, 100} {
		s := newServer(t, crowd(players, 20))
		s.Limits.PerSource = 1 << 20
		r := &gamespy1net.Registration{Server: s, Addr: master.String(), Key: "made up"}
		r.Tick(time.Now(), nil)
		got, _ := s.Respond(master, []byte(`\secure\ABCDEF\final\`), nil)
		want := `\validate\` + gamespy1.Validate("ABCDEF", r.Key) + `\final\`
		if len(got) != 1 || string(got[0]) != want {
			t.Fatalf("challenge: %q, want %q", got, want)
		}
		for _, query := range []string{`\basic\`, `\info\`, `\rules\`, `\players\`} {
			const echo = `\echo\ GHIJKL`
			want, _ := s.Respond(master, []byte(query), nil)
			asked := []byte(query + echo + `\final\`)
			if got, _ := s.Respond(stranger, asked, nil); !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%s of a stranger: %q", query, got)
			}
			got, _ := s.Respond(master, asked, nil)
			want[0] = append(want[0], echo...)
			if !slices.EqualFunc(got, want, slices.Equal) || strings.HasPrefix(string(got[0]), `\echo\`) {
				t.Errorf("%s: %q", query, got)
			}
			if got, _ := s.Respond(master, got[0], nil); len(got) > 0 {
				t.Errorf("%s: its own answer is answered with %q", query, got)
			}
		}
	}
}
