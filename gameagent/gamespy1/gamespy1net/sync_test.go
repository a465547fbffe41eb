package gamespy1net_test

import (
	"fmt"
	"io"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// Masters in a ring, even if one also fetches its own servers, do not keep a server
// listed that has stopped sending heartbeats, although it still answers queries.
func TestMastersInARingForgetStoppedServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		local := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		lists := []string{listPort.String(), "192.0.2.10:28900", "192.0.2.11:28900"}
		masters := []*gamespy1net.Master{
			{SyncFrom: []string{lists[2], lists[0]}, SyncFor: local},
			{SyncFrom: []string{lists[0]}, SyncFor: local},
			{SyncFrom: []string{lists[1], lists[0]}, SyncFor: local},
		}
		n := serveGameSpy(t, masters[0])
		for i, m := range masters[1:] {
			n.serve(t, m, netip.MustParseAddrPort(strings.Replace(lists[i+1], "28900", "27900", 1)),
				netip.MustParseAddrPort(lists[i+1]))
		}
		send, stop := n.host(t, gameServer, stock)
		send(stockHeartbeat)
		time.Sleep(4 * time.Minute)
		for i, m := range masters {
			expectListed(t, m, gameServer)
			for e := range m.Servers() {
				if e.Synced != (i > 0) {
					t.Errorf("master %d: %+v", i, e)
				}
			}
		}
		time.Sleep(20 * time.Minute)
		for _, m := range masters {
			expectListed(t, m)
		}
		stop()
		n.close(t, masters[1:]...)
	})
}

// Another master cannot have addresses flooded with queries, however many it names.
func TestSyncSparesThirdParties(t *testing.T) {
	t.Parallel()
	victims, minutes := suite.Pick(10_000, 50_000), suite.Pick(4, 10)
	var everywhere, ports strings.Builder
	for i := range victims {
		fmt.Fprintf(&everywhere, "8.%d.%d.%d:25601 ", 64+i>>14, i>>6&255, i&63+1)
		fmt.Fprintf(&ports, "198.51.100.1:%d ", 2+i)
	}
	for _, tt := range []struct {
		name, servers string
		most          int // datagrams
	}{
		{"many addresses", everywhere.String(), 32 * (60*minutes + 1)},
		{"ports of an address", ports.String(), minutes / 2 * 2 * 64}, // as many as can be listed, twice each, in every fetch
		{"places without games", "224.0.0.1:25601 239.255.255.250:1900 255.255.255.255:25601 0.0.0.0:25601 127.0.0.1:25601 " +
			"10.0.0.1:25601 192.168.1.1:25601 169.254.169.254:25601 198.51.100.1:53 198.51.100.1:11211", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := new(gameSpyNet)
				var sent atomic.Int64
				n.udp.Route = func(p nettest.Packet) []nettest.Packet {
					sent.Add(1)
					return nil
				}
				other, err := n.tcp.Listen(netip.MustParseAddrPort("192.0.2.10:28900"))
				if err != nil {
					t.Fatal(err)
				}
				var serving sync.WaitGroup
				serving.Go(func() {
					for {
						c, err := other.Accept()
						if err != nil {
							return
						}
						serving.Go(func() {
							defer c.Close()
							io.WriteString(c, `\basic\\secure\ABCDEF`)
							c.Read(make([]byte, 1000))
							io.WriteString(c, `\serioussamse\`+tt.servers+`\final\`)
						})
					}
				})
				m := &gamespy1net.Master{SyncFrom: []string{"192.0.2.10:28900"}}
				n.m = m
				n.serve(t, m, heartbeatPort, listPort)
				time.Sleep(time.Duration(minutes) * time.Minute)
				if got := int(sent.Load()); (got == 0) != (tt.most == 0) || got > tt.most {
					t.Errorf("%d datagrams to third parties in %d minutes, want up to %d", got, minutes, tt.most)
				}
				other.Close()
				n.close(t)
				serving.Wait()
			})
		})
	}
}

// A reason for which another master refuses is no list of servers.
func TestSyncIsRefused(t *testing.T) {
	for answer, failed := range map[string]bool{
		`\echo\You failed to authenticate.\final\`: true,
		`\fatal\1\error\Validation error\final\`:   true,
		`\echo\192.0.2.1:25601 192.0.2.2:1\final\`: false,
		`\echo\\final\`: false,
	} {
		synctest.Test(t, func(t *testing.T) {
			n := new(gameSpyNet)
			other, err := n.tcp.Listen(netip.MustParseAddrPort("192.0.2.10:28900"))
			if err != nil {
				t.Fatal(err)
			}
			var serving sync.WaitGroup
			serving.Go(func() {
				for {
					c, err := other.Accept()
					if err != nil {
						return
					}
					io.WriteString(c, `\basic\\secure\ABCDEF`)
					c.Read(make([]byte, 1000))
					io.WriteString(c, answer)
					c.Close()
				}
			})
			n.m = &gamespy1net.Master{SyncFrom: []string{"192.0.2.10:28900"}}
			n.serve(t, n.m, heartbeatPort, listPort)
			synctest.Wait()
			if st := n.m.Stats(); (st.NotSynced > 0) != failed {
				t.Errorf("%s: %d fetches failed", answer, st.NotSynced)
			}
			other.Close()
			n.close(t)
			serving.Wait()
		})
	}
}

// A connection ends if its peer does not read a long list, and if it reads it as slowly as the
// deadlines of writes allow.
func TestGameSpyListEndsPeersThatDoNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaster()
		m.Limits.MaxPerAddress, m.Limits.MaxPerPrefix = 1<<20, 1<<20
		for i := range 20_000 {
			enlistProduct(t, m, manyServers(i<<4))
		}
		n := serveGameSpy(t, m)
		for name, unit := range map[string]int{"reads nothing": 0, "reads slowly": 64 << 10} {
			conn, err := n.tcp.Dial(t.Context(), "tcp", listPort.String())
			if err != nil {
				t.Fatal(err)
			}
			greeting := make([]byte, 21)
			if _, err := io.ReadFull(conn, greeting); err != nil {
				t.Fatal(err)
			}
			validate := gamespy1.Validate(string(greeting[15:]), gamespy1.SeriousSamKey)
			if _, err := io.WriteString(conn, `\gamename\serioussamse\validate\`+validate+
				`\final\\list\\gamename\serioussamse\final\`); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				time.Sleep(9 * time.Second)
				if _, err := io.CopyN(io.Discard, conn, int64(unit)); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			time.Sleep(4 * time.Second)
			if st := n.m.Stats(); st.Conns.Open != 0 || st.GameSpyLists != 0 {
				t.Errorf("%s: %+v", name, st)
			}
			conn.Close()
		}
		n.close(t)
	})
}
