package gamespy1net_test

import (
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// Addresses of a server of Unreal Tournament whose NAT changes its port.
var (
	utNamed  = netip.MustParseAddrPort("198.51.100.1:7778")
	utSource = netip.MustParseAddrPort("198.51.100.1:17778")
)

const utStatus = `\gamename\ut\hostname\x\hostport\7777\queryid\1.1\final\`

// answersStatus answers queries, and challenges with a key.
func answersStatus(key string) func(req string) []string {
	return func(req string) (answers []string) {
		if strings.Contains(req, `\status\`) {
			answers = append(answers, utStatus)
		}
		if _, secure, ok := strings.Cut(req, `\secure\`); ok && key != "" {
			answers = append(answers, `\validate\`+gamespy1.Validate(secure, key)+`\final\`)
		}
		return answers
	}
}

// queried returns the query addresses of the servers of a master.
func queried(m *gamespy1net.Master) (all []netip.AddrPort) {
	for e := range m.Servers() {
		all = append(all, netip.AddrPortFrom(e.Game.Addr(), e.Game.Port()+1))
	}
	return all
}

// A server is listed at the port that its heartbeats name if that answers, and else at
// the port that they come from, as behind a NAT. A heartbeat that names port 0 is about the
// usual port of the game.
func TestGameSpyMasterAsksTheSource(t *testing.T) {
	usual := map[string]gamespy1net.Game{"ut": {QueryPort: 7778}}
	plain := map[string]gamespy1net.Game{"ut": {}}
	validated := map[string]gamespy1net.Game{"ut": {Key: "secret", Validate: true}}
	const named, none = `\heartbeat\7778\gamename\ut`, `\heartbeat\0\gamename\ut`
	for _, tt := range []struct {
		name      string
		games     map[string]gamespy1net.Game
		heartbeat string
		answers   []netip.AddrPort
		key       string
		want      netip.AddrPort // invalid: not listed
	}{
		{"both answer", plain, named, []netip.AddrPort{utNamed, utSource}, "", utNamed},
		{"the named port answers", plain, named, []netip.AddrPort{utNamed}, "", utNamed},
		{"the source answers", plain, named, []netip.AddrPort{utSource}, "", utSource},
		{"none answers", plain, named, nil, "", netip.AddrPort{}},
		{"the source answers and validates", validated, named, []netip.AddrPort{utSource}, "secret", utSource},
		{"the source answers with another key", validated, named, []netip.AddrPort{utSource}, "other", netip.AddrPort{}},
		{"the source answers without a key", validated, named, []netip.AddrPort{utSource}, "", netip.AddrPort{}},
		{"port 0, usual port", usual, none, []netip.AddrPort{utNamed, utSource}, "", utNamed},
		{"port 0, the usual port is silent", usual, none, []netip.AddrPort{utSource}, "", utSource},
		{"port 0, no usual port", plain, none, []netip.AddrPort{utNamed, utSource}, "", utSource},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := serveGameSpy(t, &gamespy1net.Master{Games: tt.games})
				var stops []func()
				for _, at := range tt.answers {
					_, stop := n.host(t, at, answersStatus(tt.key))
					stops = append(stops, stop)
				}
				send := func(text string) {
					n.udp.Inject(nettest.Packet{From: utSource, To: heartbeatPort, Data: []byte(text)})
				}
				expect := func(when string, want netip.AddrPort) {
					t.Helper()
					got := queried(n.m)
					if len(got) > 1 || len(got) == 1 != want.IsValid() || len(got) == 1 && got[0] != want {
						t.Fatalf("%s: listed at %v, want %v", when, got, want)
					}
				}
				for i := range 12 {
					send(tt.heartbeat)
					time.Sleep(5 * time.Second)
					expect(fmt.Sprintf("minute %d", i), tt.want)
					time.Sleep(55 * time.Second)
				}
				if st := n.m.Stats(); tt.want.IsValid() && (st.Heartbeats != 11 || st.Unanswered != 0) {
					t.Errorf("12 heartbeats: %+v", st)
				}
				for _, stop := range stops {
					stop()
				}
				send(tt.heartbeat + `\statechanged\2`)
				time.Sleep(5 * time.Second)
				expect("after its goodbye", netip.AddrPort{})
				n.close(t)
			})
		})
	}
}

// Heartbeats with a forged source have the master send to that address less than they have
// themselves, and within the limit of the address: the query of a second port counts as
// another heartbeat.
func TestForgedSourcesGetLessThanTheySend(t *testing.T) {
	for _, tt := range []struct {
		name string
		game gamespy1net.Game
		most int // datagrams for a heartbeat
	}{
		{"without a key", gamespy1net.Game{}, 3},
		{"with a key", gamespy1net.Game{Key: "secret"}, 4},
		{"validated", gamespy1net.Game{Key: "secret", Validate: true}, 3},
	} {
		synctest.Test(t, func(t *testing.T) {
			const perSecond = 10
			m := &gamespy1net.Master{Games: map[string]gamespy1net.Game{"ut": tt.game}}
			m.Limits.Rates = lobbywire.Rates{PerSource: perSecond}
			n := serveGameSpy(t, m)
			var mu sync.Mutex
			packets, bytes := 0, 0
			n.udp.Route = func(p nettest.Packet) []nettest.Packet {
				mu.Lock()
				defer mu.Unlock()
				if p.To.Addr() != utNamed.Addr() || p.To.Port() != 7778 && p.To.Port() < 10000 {
					t.Errorf("%s: a datagram to %v", tt.name, p.To)
				}
				packets++
				bytes += len(p.Data)
				return nil
			}
			const heartbeat = `\heartbeat\7778\gamename\ut`
			forge := func(port int) {
				from := netip.AddrPortFrom(utNamed.Addr(), uint16(port))
				n.udp.Inject(nettest.Packet{From: from, To: heartbeatPort, Data: []byte(heartbeat)})
			}
			forge(10000)
			time.Sleep(10 * time.Second)
			mu.Lock()
			if packets > tt.most || bytes > 58 { // as without the second port
				t.Errorf("%s: %d datagrams of %d bytes for a heartbeat", tt.name, packets, bytes)
			}
			packets = 0
			mu.Unlock()
			const seconds = 20
			for i := range seconds * 100 {
				forge(10001 + i)
				time.Sleep(10 * time.Millisecond)
			}
			time.Sleep(10 * time.Second)
			mu.Lock()
			defer mu.Unlock()
			// A challenge and two queries for each heartbeat that the limit allows.
			if most := 3 * perSecond * (seconds + 2); packets > most {
				t.Errorf("%s: %d datagrams in %d s, want at most %d", tt.name, packets, seconds, most)
			}
			n.close(t)
		})
	}
}

// Games are found by their names in any case, with white space and zero bytes around them,
// in heartbeats and in requests for lists.
func TestGamesAreFoundInAnyCase(t *testing.T) {
	names := []string{"ut", "UT", "Ut", "ut\n", "ut\r\n", "ut\x00", "ut \t", " ut", "UT\x00\n"}
	for _, configured := range []string{"ut", "UT", "ut\n"} {
		synctest.Test(t, func(t *testing.T) {
			games := map[string]gamespy1net.Game{configured: {Key: gamespy1.SeriousSamKey}}
			n := serveGameSpy(t, &gamespy1net.Master{Games: games})
			var stops []func()
			for i, name := range names {
				for j, ending := range []string{"", `\`, `\statechanged\1`, "\n"} {
					at := netip.AddrPortFrom(utNamed.Addr(), uint16(7000+10*i+j))
					send, stop := n.host(t, at, answersStatus(""))
					send(fmt.Sprintf(`\heartbeat\%d\gamename\%s%s`, at.Port(), name, ending))
					time.Sleep(time.Second)
					if got := n.m.Stats().Listed; got != 4*i+j+1 {
						t.Errorf("%q: the heartbeat of %q with %q at the end lists %d servers", configured, name, ending, got)
					}
					stops = append(stops, stop)
				}
			}
			for _, name := range names {
				list := n.gameList(t, func(validate string) []string {
					return []string{fmt.Sprintf(`\gamename\%s\validate\%s\final\\list\cmp\gamename\%s\final\`, name, validate, name)}
				})
				if want := 6*4*len(names) + len(`\final\`); len(list) != want {
					t.Errorf("%q: the list of %q has %d bytes, want %d", configured, name, len(list), want)
				}
			}
			for _, stop := range stops {
				stop()
			}
			n.close(t)
		})
	}
}

// Only the query of a second port counts as another heartbeat: servers whose heartbeats come
// from another port than that of their queries need as much of the limit as others.
func TestGameSpyUplinksAreChargedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const servers = 10
		m := &gamespy1net.Master{Games: map[string]gamespy1net.Game{"ut": {}}}
		m.Limits.Rates = lobbywire.Rates{PerSource: servers}
		n := serveGameSpy(t, m)
		var stops []func()
		for i := range servers {
			at := netip.AddrPortFrom(utNamed.Addr(), uint16(7000+i))
			_, stop := n.host(t, at, answersStatus(""))
			stops = append(stops, stop)
			n.udp.Inject(nettest.Packet{From: netip.AddrPortFrom(at.Addr(), at.Port()+1000), To: heartbeatPort,
				Data: fmt.Appendf(nil, `\heartbeat\%d\gamename\ut`, at.Port())})
		}
		time.Sleep(5 * time.Second)
		if st := m.Stats(); st.Listed != servers || st.Limited != 0 {
			t.Errorf("%+v", st)
		}
		for _, stop := range stops {
			stop()
		}
		n.close(t)
	})
}
