package safety_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A registered server of GameSpy and its master fall silent too, except for keepalives.
func TestRegisteredGameSpyServerAndMasterFallSilent(t *testing.T) {
	all := datagrams(t)
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
		master := newGameSpyMaster(unlimited)
		server := gameSpyServer(t, gameSpyState(2, 8)).(*gamespy2net.Server)
		registration := &gamespy2net.Registration{
			Server: server, Addr: secondAddr.String(), Conn: serverConn, Game: gmtest.Name, Key: gmtest.Key,
		}
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
		if got := master.Stats().Listed; got != 1 {
			t.Fatalf("%d servers listed", got)
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
			if got := packets.Swap(0); got > 4*2*int64(len(sent)) {
				t.Fatalf("%d datagrams after %d", got, 2*len(sent))
			}
		}
		time.Sleep(time.Minute)
		packets.Store(0)
		time.Sleep(time.Minute)
		if got := packets.Load(); got > 8 { // a heartbeat and keepalives with their answers
			t.Errorf("%d datagrams in a minute of silence", got)
		}
		if got := master.Stats().Listed; got != 1 {
			t.Errorf("%d servers listed at the end", got)
		}
		cancel()
		must(t, server.Close())
		must(t, master.Close())
		for range cap(ended) {
			<-ended
		}
	})
}
