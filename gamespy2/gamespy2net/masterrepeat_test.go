package gamespy2net_test

import (
	"errors"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// headers is the size of the headers of IPv4 and UDP.
const headers = 28

// A received is a datagram from the master, with its time.
type received struct {
	at     time.Duration
	packet []byte
}

// receive returns what arrives within a duration. If answer is set, its results are sent back.
func receive(t *testing.T, c net.PacketConn, d time.Duration, answer func(packet []byte) []byte) (all []received) {
	t.Helper()
	start := time.Now()
	c.SetReadDeadline(start.Add(d))
	for b := make([]byte, 1500); ; {
		n, from, err := c.ReadFrom(b)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, received{time.Since(start), slices.Clone(b[:n])})
		if answer == nil {
			continue
		}
		if to := answer(b[:n]); to != nil {
			c.WriteTo(to, from)
		}
	}
}

// send sends a datagram to the master.
func send(t *testing.T, c net.PacketConn, b []byte) {
	t.Helper()
	if _, err := c.WriteTo(b, net.UDPAddrFromAddrPort(masterAt)); err != nil {
		t.Fatal(err)
	}
}

// A challenge is repeated after 1, 2 and 4 s, as long as the heartbeat has as many bytes, headers
// included, and until the server answers, stops, or sends another heartbeat.
func TestMasterRepeatsChallenges(t *testing.T) {
	const s = time.Second
	heartbeat := recorded(t, "heartbeat_first")
	answers := func(after int) func([]byte) []byte {
		return func(packet []byte) []byte {
			after--
			c, err := qr2.ParseChallenge(packet)
			if err != nil || after > 0 {
				return nil
			}
			return answerTo(t, c, gmtest.Key)
		}
	}
	stops := func(packet []byte) []byte { return beat{key: instance, state: qr2.StateShutdown}.wire(t) }
	short := func(bytes int) []byte { // a heartbeat of so many bytes
		b := beat{key: instance, pairs: []string{"a", "b"}}.wire(t)
		return beat{key: instance, pairs: []string{"a", "b" + strings.Repeat("b", bytes-len(b))}}.wire(t)
	}
	for _, tt := range []struct {
		name      string
		heartbeat []byte
		answer    func(packet []byte) []byte
		want      []time.Duration // of the challenges
	}{
		{"never answered", heartbeat, nil, []time.Duration{0, s, 2 * s, 4 * s}},
		{"as many bytes as four challenges", short(4*56 - 28), nil, []time.Duration{0, s, 2 * s, 4 * s}},
		{"one byte less", short(4*56 - 29), nil, []time.Duration{0, s, 2 * s}},
		{"as many bytes as two challenges", short(2*56 - 28), nil, []time.Duration{0, s}},
		{"one byte less", short(2*56 - 29), nil, []time.Duration{0}},
		{"the first is answered", heartbeat, answers(1), []time.Duration{0}},
		{"the third is answered", heartbeat, answers(3), []time.Duration{0, s, 2 * s}},
		{"the server stops", heartbeat, stops, []time.Duration{0}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var network nettest.Network
			m := newMaster()
			defer m.Close()
			go m.Serve(listenOn(t, &network, masterAt))
			server := listenOn(t, &network, gameServer)
			send(t, server, tt.heartbeat)
			var got []time.Duration
			var first []byte
			for _, r := range receive(t, server, 30*time.Second, tt.answer) {
				if _, err := qr2.ParseChallenge(r.packet); err != nil {
					continue
				}
				got = append(got, r.at)
				if first == nil {
					first = r.packet
				}
				if string(first) != string(r.packet) {
					t.Errorf("%s: %q after %v, and %q before", tt.name, r.packet, r.at, first)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s: challenges (-want +got)\n%s", tt.name, diff)
			}
			if st := m.Stats(); st.Challenges != 1 {
				t.Errorf("%s: %d challenges are counted", tt.name, st.Challenges)
			}
		})
	}
}

// The queries of a server that has answered its challenge are repeated until it answers one.
func TestMasterRepeatsQueries(t *testing.T) {
	for silent := range 5 {
		synctest.Test(t, func(t *testing.T) {
			var network nettest.Network
			m := newMaster()
			defer m.Close()
			go m.Serve(listenOn(t, &network, masterAt))
			server := listenOn(t, &network, gameServer)
			send(t, server, recorded(t, "heartbeat_first"))
			queries := 0
			all := receive(t, server, 30*time.Second, func(packet []byte) []byte {
				m, err := qr2.ParseToServer(packet)
				if err != nil {
					t.Fatal(err)
				}
				switch m := m.(type) {
				case qr2.Challenge:
					return answerTo(t, m, gmtest.Key)
				case qr2.Registered:
					return nil
				}
				queries++
				if (queries-1)/2 < silent {
					return nil
				}
				return answerToQuery(t, packet)
			})
			want := []time.Duration{0, time.Second, 2 * time.Second, 4 * time.Second}
			rounds := min(silent+1, len(want))
			if queries != 2*rounds || all[len(all)-1].at != want[rounds-1] || m.Stats().Listed == 1 != (silent < 4) {
				t.Errorf("silent at first for %d times: %d queries until %v, %+v", silent, queries, all[len(all)-1].at, m.Stats())
			}
		})
	}
}

// A flood of forged heartbeats does not make the master send more bytes than it receives, and
// what it sends again is bounded by its table.
func TestMasterFloodCausesFewRepeats(t *testing.T) {
	for _, perSecond := range suite.Pick([]int{500, 20_000}, []int{500, 2000, 5000, 20_000}) {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			packets, sent := 0, 0
			network := nettest.Network{Route: func(p nettest.Packet) []nettest.Packet {
				mu.Lock()
				defer mu.Unlock()
				packets++
				sent += len(p.Data) + headers
				return nil
			}}
			m := newMaster()
			go m.Serve(listenOn(t, &network, masterAt))
			synctest.Wait()
			heartbeat := beat{key: instance, pairs: []string{"hostname", strings.Repeat("x", 130)}}.wire(t)
			const batch = 100
			seconds := suite.Pick(3, 5)
			for i := 0; i < seconds*perSecond; i += batch {
				for j := range batch {
					network.Inject(nettest.Packet{From: manyServers(i + j), To: masterAt, Data: heartbeat})
				}
				time.Sleep(batch * time.Second / time.Duration(perSecond))
			}
			mu.Lock()
			before := packets
			mu.Unlock()
			time.Sleep(10 * time.Second)
			mu.Lock()
			later := packets - before
			mu.Unlock()
			received := seconds * perSecond * (len(heartbeat) + headers)
			repeats := packets - seconds*perSecond
			t.Logf("%d heartbeats a second: %d bytes, answered with %d, %d repeated", perSecond, received, sent, repeats)
			if sent > received {
				t.Errorf("%d heartbeats a second: %d bytes for %d", perSecond, sent, received)
			}
			if repeats < perSecond/10 || repeats > (seconds+4)*8192 || later > 3*8192 {
				t.Errorf("%d heartbeats a second: %d challenges are repeated, %d of them later", perSecond, repeats, later)
			}
			m.Close()
		})
	}
}
