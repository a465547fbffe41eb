package gamespy1net_test

import (
	"fmt"
	"net/netip"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A server that says once that it stops is removed soon, whenever it does, although a limit
// may not allow a query at that moment.
func TestGoodbyesRemoveServersSoon(t *testing.T) {
	for _, tt := range []struct {
		ending string
		lost   int // datagrams of the first query
	}{{`\statechanged\2`, 0}, {`\statechanged`, 0}, {`\statechanged\2`, 1}, {`\statechanged`, 1}} {
		for wait := 50 * time.Millisecond; wait < 30*time.Second; wait += wait / suite.Pick[time.Duration](1, 4) {
			synctest.Test(t, func(t *testing.T) {
				n := serveGameSpy(t, new(gamespy1net.Master))
				lost := tt.lost
				send, stop := n.host(t, gameServer, func(req string) []string {
					if answers := stock(req); len(answers) == 0 || lost == 0 {
						return answers
					}
					lost--
					return nil
				})
				send(stockHeartbeat)
				time.Sleep(wait)
				send(stockHeartbeat + tt.ending)
				time.Sleep(100 * time.Millisecond)
				stop()
				time.Sleep(15 * time.Second)
				if st := n.m.Stats(); st.Listed != 0 {
					t.Errorf("%s after %v, %d lost: %+v", tt.ending, wait, tt.lost, st)
				}
				n.close(t)
			})
		}
	}
}

// Servers that say that their state has changed, at any times, stay listed, and are queried
// every five seconds at most. Once one stops, its last message counts.
func TestGameSpyChangesAreCoalesced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := serveGameSpy(t, new(gamespy1net.Master))
		var queries []time.Time
		send, stop := n.host(t, gameServer, func(req string) []string {
			if answers := stock(req); len(answers) > 0 {
				queries = append(queries, time.Now())
				return answers
			}
			return nil
		})
		send(stockHeartbeat)
		time.Sleep(time.Second)
		for i := range 300 {
			time.Sleep(time.Duration(i%7) * 370 * time.Millisecond)
			send(stockHeartbeat + `\statechanged`)
			expectListed(t, n.m, gameServer)
		}
		time.Sleep(100 * time.Millisecond)
		stop()
		for i := 1; i < len(queries); i++ {
			if d := queries[i].Sub(queries[i-1]); d < 5*time.Second {
				t.Errorf("queried %v after the query before", d)
			}
		}
		if len(queries) < 50 {
			t.Errorf("%d queries in 300 messages", len(queries))
		}
		time.Sleep(12 * time.Second)
		expectListed(t, n.m)
		n.close(t)
	})
}

// A server that the master does not know and that stops is not listed, although it still
// answers for a moment.
func TestGoodbyeOfAnUnknownServerListsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := serveGameSpy(t, new(gamespy1net.Master))
		send, stop := n.host(t, gameServer, stock)
		send(stockHeartbeat + `\statechanged\2`)
		time.Sleep(10 * time.Second)
		if st := n.m.Stats(); st.Checks != 0 || st.Sent != 0 {
			t.Errorf("%+v", st)
		}
		expectListed(t, n.m)
		stop()
		n.close(t)
	})
}

// The goodbyes of many servers at one moment are all heard: they wait for each other.
func TestManyGoodbyesAreAllHeard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const servers = 1000
		m := newMaster()
		n := serveGameSpy(t, m)
		at := func(i int) netip.AddrPort {
			return netip.AddrPortFrom(netip.AddrFrom4([4]byte{198, 51, byte(i / 50), 1}), uint16(20001+i%50))
		}
		var stopped atomic.Bool
		n.udp.Route = func(p nettest.Packet) []nettest.Packet {
			if p.To.Port() < 20001 || p.To.Port() > 20050 || stopped.Load() || len(stock(string(p.Data))) == 0 {
				return nil
			}
			return []nettest.Packet{{From: p.To, To: p.From, Data: []byte(stockStatus), Delay: time.Millisecond}}
		}
		say := func(ending string) {
			for i := range servers {
				n.udp.Inject(nettest.Packet{From: at(i), To: heartbeatPort,
					Data: fmt.Appendf(nil, `\heartbeat\%d\gamename\serioussamse%s`, at(i).Port(), ending)})
			}
		}
		say("")
		time.Sleep(10 * time.Second)
		if st := m.Stats(); st.Listed != servers {
			t.Fatalf("%+v", st)
		}
		stopped.Store(true)
		say(`\statechanged\2`)
		time.Sleep(time.Minute)
		if st := m.Stats(); st.Listed != 0 {
			t.Errorf("a minute later: %+v", st)
		}
		n.close(t)
	})
}

// A server that stops and starts again is listed soon after its first heartbeat, whenever
// that arrives.
func TestGameSpyRestarts(t *testing.T) {
	const soon = 2 * time.Second // one attempt of the query, and the first check
	for _, ending := range []string{`\statechanged\2`, `\statechanged`} {
		for _, up := range []time.Duration{500 * time.Millisecond, 3 * time.Second, time.Minute} {
			for down := 300 * time.Millisecond; down < 13*time.Second; down += suite.Pick[time.Duration](2100, 700) * time.Millisecond {
				synctest.Test(t, func(t *testing.T) {
					n := serveGameSpy(t, new(gamespy1net.Master))
					send, stop := n.host(t, gameServer, stock)
					send(stockHeartbeat)
					time.Sleep(up)
					send(stockHeartbeat + ending)
					stop()
					time.Sleep(down)
					send, stop = n.host(t, gameServer, stock)
					send(stockHeartbeat)
					time.Sleep(soon)
					if n.m.Stats().Listed != 1 {
						t.Errorf("%s after %v, and back after %v: %+v", ending, up, down, n.m.Stats())
					}
					time.Sleep(time.Minute)
					expectListed(t, n.m, gameServer)
					stop()
					n.close(t)
				})
			}
		}
	}
}
