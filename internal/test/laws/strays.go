package laws

import (
	"errors"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// testStrays runs the laws of datagrams that are not the answer, as subtests.
func (c Client) testStrays(t *testing.T, query homeQuery) {
	t.Run("strays", func(t *testing.T) { c.waitsBeyondStrays(t, query) })
	if c.IsChallenge != nil {
		t.Run("answered challenge", func(t *testing.T) { c.namesAnsweredChallenges(t, query) })
	}
}

// strays are datagrams from the address of a server that are no answers: another program
// had its port, or somebody forges them.
func strays() map[string][]string {
	const (
		text   = "hello, world"
		sqp    = "\x01\x00\x00\x00\x07\x00\x01\x00\x00\x00\x04\x00\x00\x00\x00"
		a2s    = "\xff\xff\xff\xffI\x11name\x00map\x00folder\x00game\x00"
		raknet = "\x1c\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x02" +
			"\x00\xff\xff\x00\xfe\xfe\xfe\xfe\xfd\xfd\xfd\xfd\x12\x34\x56\x78\x00\x10MCPE;x;1;1.20;0;9"
	)
	return map[string][]string{
		"a zero byte": {"\x00"}, "a text": {text}, "an SQP packet": {sqp}, "an A2S answer": {a2s},
		"a RakNet pong": {raknet}, "an empty datagram": {""}, "two strays": {text, "\x00"},
		"empty datagrams": {"", "", ""}, "strays of all kinds": {raknet, "", sqp, "\x00", a2s},
	}
}

// Strays after each request hide neither a later answer nor the answer to another attempt.
// Without an answer, the error is not a timeout.
func (c Client) waitsBeyondStrays(t *testing.T, query homeQuery) {
	const late = 350 * time.Millisecond
	for name, all := range strays() {
		for _, tt := range []struct {
			name   string
			answer func(p nettest.Packet, age time.Duration) []nettest.Packet
			want   func(a Answer) bool
		}{
			{"a late answer", func(p nettest.Packet, _ time.Duration) []nettest.Packet {
				p.Delay = late
				return []nettest.Packet{p}
			}, func(a Answer) bool { return a.Err == nil && a.True && !a.Partial && a.Attempts == 1 }},
			{"an answer to a later attempt", func(p nettest.Packet, age time.Duration) []nettest.Packet {
				if age < timeout {
					return nil
				}
				return []nettest.Packet{p}
			}, func(a Answer) bool { return a.Err == nil && a.True && !a.Partial && a.Attempts > 1 }},
			{"no answer", func(nettest.Packet, time.Duration) []nettest.Packet { return nil },
				func(a Answer) bool {
					return errors.Is(a.Err, lobbywire.ErrUnreadable) && !errors.Is(a.Err, lobbywire.ErrTimeout) &&
						a.Attempts == attempts
				}},
		} {
			bubble(t, func(t *testing.T, n *nettest.Network) {
				n.Serve(t, home, c.Server(t))
				start := time.Now()
				n.Route = func(p nettest.Packet) []nettest.Packet {
					if p.From == home {
						return tt.answer(p, time.Since(start))
					}
					arriving := []nettest.Packet{p}
					for _, stray := range all {
						arriving = append(arriving, nettest.Packet{From: home, To: p.From, Data: []byte(stray), Delay: oneWay})
					}
					return arriving
				}
				if a := query(t.Context(), n); !tt.want(a) {
					t.Errorf("%s and %s: %+v", name, tt.name, a)
				}
			})
		}
	}
}

// The error for a server that answers challenge requests, but no queries, differs from that
// for a silent server, also if a stray arrives before each challenge.
func (c Client) namesAnsweredChallenges(t *testing.T, query homeQuery) {
	for _, stray := range [][]string{nil, {""}, {"\x00"}, {"hello, world", ""}} {
		bubble(t, func(t *testing.T, n *nettest.Network) {
			n.Serve(t, home, c.Server(t))
			challenged := false // not every form of query is
			n.Route = func(p nettest.Packet) (arriving []nettest.Packet) {
				if p.From == home && !c.IsChallenge(p.Data) {
					return nil
				}
				if p.From == home {
					challenged = true
					for _, data := range stray {
						arriving = append(arriving, nettest.Packet{From: home, To: p.To, Data: []byte(data)})
					}
				}
				return append(arriving, p)
			}
			a := query(t.Context(), n)
			if !errors.Is(a.Err, lobbywire.ErrTimeout) || errors.Is(a.Err, lobbywire.ErrChallengeOnly) != challenged ||
				a.Attempts != attempts {
				t.Errorf("after strays %q: %+v", stray, a)
			}
		})
	}
}
