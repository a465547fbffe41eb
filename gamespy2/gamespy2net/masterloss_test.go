package gamespy2net_test

import (
	"errors"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// runSDK does what the SDK's server does from its first heartbeat on, until the connection
// closes: it sends one after 10, 20 and 30 s until it gets a challenge, and every minute, and
// answers challenges and queries.
func runSDK(t *testing.T, c net.PacketConn, heartbeat []byte) {
	to := net.UDPAddrFromAddrPort(masterAt)
	next, interval := time.Now(), 10*time.Second
	for b := make([]byte, 1500); ; {
		if !time.Now().Before(next) {
			c.WriteTo(heartbeat, to)
			next = next.Add(interval)
		}
		c.SetReadDeadline(next)
		n, _, err := c.ReadFrom(b)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			continue
		}
		if err != nil {
			return
		}
		m, err := qr2.ParseToServer(b[:n])
		if err != nil {
			t.Error(err)
		}
		switch m := m.(type) {
		case qr2.Challenge:
			c.WriteTo(answerTo(t, m, gmtest.Key), to)
			next, interval = next.Add(time.Minute-interval), time.Minute
		case qr2.Registered:
		default:
			c.WriteTo(answerToQuery(t, b[:n]), to)
		}
	}
}

// A lost challenge or query, or a lost answer to one, costs a server seconds: it is sent again.
// Only a lost heartbeat costs the 10 s after which the server sends another.
func TestMasterListsInSpiteOfLoss(t *testing.T) {
	const servers = 200
	for _, tt := range []struct {
		loss             float64
		at1, at5, at10_5 int // servers that must be listed then
	}{{0, 200, 200, 200}, {0.05, 150, 177, 185}, {0.20, 60, 142, 160}} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			random := rand.New(rand.NewPCG(1, 2))
			network := nettest.Network{Route: func(p nettest.Packet) []nettest.Packet {
				mu.Lock()
				defer mu.Unlock()
				if random.Float64() < tt.loss {
					return nil
				}
				p.Delay = 30 * time.Millisecond
				return []nettest.Packet{p}
			}}
			m := newMaster()
			go m.Serve(listenOn(t, &network, masterAt))
			var running sync.WaitGroup
			var conns []net.PacketConn
			for i := range servers {
				at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{198, 51, 100, byte(i)}), 6500)
				c := listenOn(t, &network, at)
				conns = append(conns, c)
				running.Go(func() { runSDK(t, c, recorded(t, "heartbeat_first")) })
			}
			var listed []int
			start := time.Now()
			for _, at := range []time.Duration{time.Second, 5 * time.Second, 10500 * time.Millisecond, time.Minute} {
				time.Sleep(time.Until(start.Add(at)))
				listed = append(listed, m.Stats().Listed)
			}
			t.Logf("%v %% loss: of %d, %d are listed after 1, 5, 10.5 and 60 s", tt.loss*100, servers, listed)
			if listed[0] < tt.at1 || listed[1] < tt.at5 || listed[2] < tt.at10_5 {
				t.Errorf("%v %% loss: %d are listed", tt.loss*100, listed)
			}
			for _, c := range conns {
				c.Close()
			}
			running.Wait()
			m.Close()
		})
	}
}
