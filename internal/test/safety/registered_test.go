package safety_test

import (
	"context"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A registered is a server that is registered at a master.
type registered struct {
	master, server interface {
		Serve(pc net.PacketConn) error
		Close() error
	}
	register func(ctx context.Context) error
	listed   func() int // servers of the master
	want     int        // of them

	answers int64 // to a datagram, at most
	settle  time.Duration
	minute  int64 // datagrams in a minute of silence, at most
}

// A server answers the challenges of the master that it is registered at, and a master queries
// servers. Even so, no datagram that is sent to either in the name of the other keeps them
// exchanging datagrams: both are silent soon, until the next heartbeat or keepalive is due.
func TestRegisteredServerAndMasterFallSilent(t *testing.T) {
	all := datagrams(t)
	gameAgent := func(legacy bool) func(t *testing.T, network *nettest.Network, conn net.PacketConn) registered {
		return func(t *testing.T, network *nettest.Network, conn net.PacketConn) registered {
			m := fullMaster(t, unlimited, 1)
			m.Dial = network.Dial
			s, gamespy := &gameagentnet.Server{Limits: unlimited}, &gamespy1net.Server{Limits: unlimited}
			must(t, s.Set(gameAgentState(2, 8)))
			must(t, gamespy.Set(gameSpy1Status(2, 8)))
			s.Other = func(_ netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) ([][]byte, bool) {
				return gamespy.Respond(from, req, dst)
			}
			run := (&gameagentnet.Registration{Server: s, Addr: secondAddr.String(), Conn: conn}).Run
			if legacy {
				run = (&gamespy1net.Registration{Server: gamespy, Addr: secondAddr.String(), Key: gamespy1.SeriousSamKey,
					Conn: conn}).Run
			}
			return registered{m, s, run, func() int { return m.Stats().Listed }, 2, 16, 10 * time.Second, 4}
		}
	}
	for name, begin := range map[string]func(t *testing.T, network *nettest.Network, conn net.PacketConn) registered{
		"native": gameAgent(false),
		"legacy": gameAgent(true),
		"gamespy2": func(t *testing.T, _ *nettest.Network, conn net.PacketConn) registered {
			m, s := newGameSpyMaster(unlimited), gameSpyServer(t, gameSpyState(2, 8)).(*gamespy2net.Server)
			r := &gamespy2net.Registration{Server: s, Addr: secondAddr.String(), Conn: conn, Game: gmtest.Name,
				Key: gmtest.Key}
			// A heartbeat, and keepalives with their answers.
			return registered{m, s, r.Run, func() int { return m.Stats().Listed }, 1, 4, time.Minute, 8}
		},
	} {
		t.Run(name, func(t *testing.T) {
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
				begin(t, network, serverConn).fallSilent(t, network, masterConn, serverConn, &packets, all)
			})
		})
	}
}

func (r registered) fallSilent(t *testing.T, network *nettest.Network, masterConn, serverConn net.PacketConn,
	packets *atomic.Int64, all [][]byte) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{}, 3)
	for _, serve := range []func() error{
		func() error { return r.master.Serve(masterConn) },
		func() error { return r.server.Serve(serverConn) },
		func() error { return r.register(ctx) },
	} {
		go func() {
			serve()
			ended <- struct{}{}
		}()
	}
	time.Sleep(time.Second)
	wantListed := func(when string) {
		t.Helper()
		if got := r.listed(); got != r.want {
			t.Fatalf("%s: %d servers listed, want %d", when, got, r.want)
		}
	}
	wantListed("at first")
	const batch = 500
	for n := 0; n < len(all); n += batch {
		sent := all[n:min(n+batch, len(all))]
		packets.Store(0)
		for _, b := range sent {
			network.Inject(nettest.Packet{From: secondAddr, To: firstAddr, Data: b})
			network.Inject(nettest.Packet{From: firstAddr, To: secondAddr, Data: b})
		}
		time.Sleep(20 * delay)
		if got := packets.Swap(0); got > r.answers*2*int64(len(sent)) {
			t.Fatalf("%d datagrams after %d", got, 2*len(sent))
		}
	}
	time.Sleep(r.settle)
	packets.Store(0)
	time.Sleep(time.Minute)
	if got := packets.Load(); got > r.minute {
		t.Errorf("%d datagrams in a minute of silence", got)
	}
	wantListed("at the end")
	cancel()
	must(t, r.server.Close())
	must(t, r.master.Close())
	for range cap(ended) {
		<-ended
	}
}
