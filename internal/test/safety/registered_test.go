package safety_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A server answers the challenges of the master that it is registered at, and a
// master queries servers in the legacy form. Even so, no datagram that is sent to
// either in the name of the other keeps them exchanging datagrams: both are silent
// soon, until the next heartbeat is due.
func TestRegisteredServerAndMasterFallSilent(t *testing.T) {
	all := datagrams(t)
	t.Run("native", func(t *testing.T) { fallSilent(t, false, all) })
	t.Run("legacy", func(t *testing.T) { fallSilent(t, true, all) })
}

func fallSilent(t *testing.T, legacy bool, all [][]byte) {
	synctest.Test(t, func(t *testing.T) {
		var packets atomic.Int64
		network := &nettest.Network{Route: func(p nettest.Packet) []nettest.Packet {
			packets.Add(1)
			p.Delay = delay
			return []nettest.Packet{p}
		}}
		masterConn, err := network.Listen(secondAddr)
		must(t, err)
		serverConn, err := network.Listen(firstAddr)
		must(t, err)
		master := fullMaster(t, unlimited, 1)
		master.Dial = network.Dial
		server := &gameagentnet.Server{Limits: unlimited, LegacyKey: gamespy1.SeriousSamKey}
		must(t, server.Set(gameAgentState(2, 8)))
		registration := &gameagentnet.Registration{Server: server, Addr: secondAddr.String(), Legacy: legacy,
			Conn: serverConn}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{}, 3)
		for _, serve := range []func() error{
			func() error { return master.Serve(masterConn) },
			func() error { return server.Serve(serverConn) },
			func() error { return registration.Run(ctx) },
		} {
			go func() {
				serve()
				ended <- struct{}{}
			}()
		}
		time.Sleep(time.Second)
		if got := master.Stats().Listed; got != 2 {
			t.Fatalf("%d servers listed, want the registered one and another", got)
		}
		const batch = 500
		for n := 0; n < len(all); n += batch {
			sent := all[n:min(n+batch, len(all))]
			packets.Store(0)
			for _, b := range sent {
				network.Inject(nettest.Packet{From: secondAddr, To: firstAddr, Data: b})
				network.Inject(nettest.Packet{From: firstAddr, To: secondAddr, Data: b})
			}
			time.Sleep(20 * delay)
			if got := packets.Swap(0); got > 16*2*int64(len(sent)) {
				t.Fatalf("%d datagrams after %d", got, 2*len(sent))
			}
		}
		time.Sleep(10 * time.Second) // a heartbeat is repeated meanwhile
		packets.Store(0)
		time.Sleep(time.Minute)
		if got := packets.Load(); got > 4 {
			t.Errorf("%d datagrams in a minute of silence", got)
		}
		cancel()
		must(t, server.Close())
		must(t, master.Close())
		for range cap(ended) {
			<-ended
		}
	})
}
