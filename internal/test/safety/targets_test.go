//go:build linux

package safety_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// patience is how long an honest client waits on a busy machine.
const patience = 5 * time.Second

// clients are honest clients of the kinds of servers, by kind.
var clients = [...]func(ctx context.Context, addr string) error{
	sqpClient, gameSpyClient, gameSpyClient, gameSpyClient, gameSpyClient,
	func(ctx context.Context, addr string) error {
		_, err := (&gameagentnet.Client{Timeout: patience}).Status(ctx, addr)
		return err
	},
	func(ctx context.Context, addr string) error {
		_, err := (&gamespy1net.Client{Timeout: patience}).Status(ctx, addr)
		return err
	},
	func(ctx context.Context, addr string) error {
		_, err := (&gameagentnet.Client{Timeout: patience, ListEvery: -1}).List(ctx, addr)
		return err
	},
	availabilityClient,
}

// availabilityClient asks a master of GameSpy whether a game is available.
func availabilityClient(ctx context.Context, addr string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "udp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })()
	req, err := qr2.AvailabilityRequest{GameName: gmtest.Name}.AppendBinary(nil)
	if err != nil {
		return err
	}
	if _, err := conn.Write(req); err != nil {
		return err
	}
	b := make([]byte, 64)
	n, err := conn.Read(b)
	if err != nil {
		return err
	}
	_, err = qr2.ParseAvailabilityAnswer(b[:n])
	return err
}

func sqpClient(ctx context.Context, addr string) error {
	_, err := (&sqpnet.Client{Timeout: patience}).Query(ctx, addr, sqp.ChunkServerInfo)
	return err
}

func gameSpyClient(ctx context.Context, addr string) error {
	_, err := (&gamespy2net.Client{Timeout: patience}).Query(ctx, addr)
	return err
}

// lists are all servers over TCP, and honest clients of them.
var lists = []struct {
	name   string
	make   func() lobby
	honest func(ctx context.Context, addr string) error
}{
	{"warzonenet.Lobby", func() lobby { return new(warzonenet.Lobby) }, func(ctx context.Context, addr string) error {
		_, err := (&warzonenet.Client{ListEvery: -1}).List(ctx, addr)
		return err
	}},
	{"wzhttpnet.Lobby", func() lobby { return newHTTPLobby() }, func(ctx context.Context, addr string) error {
		_, err := (&wzhttpnet.Client{ListEvery: -1}).List(ctx, "http://"+addr+"/lobby")
		return err
	}},
	{"proposalnet.Lobby, text", proposalLobby(proposalnet.Text), proposalClient(proposalnet.Text)},
	{"proposalnet.Lobby, binary", proposalLobby(proposalnet.Binary), proposalClient(proposalnet.Binary)},
	{"proposalnet.Lobby, JSON", proposalLobby(proposalnet.JSON), proposalClient(proposalnet.JSON)},
	{"gamespy1net.Master, legacy list", func() lobby { return legacyList{&gamespy1net.Master{Dial: noNetwork}} },
		func(ctx context.Context, addr string) error {
			_, err := (&gamespy1net.Client{Timeout: patience, ListEvery: -1}).List(ctx, addr)
			return err
		}},
	{gameSpyMaster + ", list", func() lobby {
		return gameSpyList{&gamespy2net.Master{Games: []gamespy2net.Game{{Name: "gmtest", Key: "HA6zkS"}}}}
	}, func(ctx context.Context, addr string) error {
		_, err := (&gamespy2net.Client{Timeout: patience, ListEvery: -1}).List(ctx, addr, gamespy2net.ListQuery{
			Game: "gmtest", Key: "HA6zkS", Filter: "hostname like '%a%'",
		})
		return err
	}},
	{"bombermannet.ManagementServer", func() lobby { return new(bombermannet.ManagementServer) },
		func(ctx context.Context, addr string) error {
			_, err := (&bombermannet.Client{ListEvery: -1}).List(ctx, addr)
			return err
		}},
}

// A lobby is a server over TCP.
type lobby interface {
	Serve(l net.Listener) error
	Close() error
}

// An httpLobby is an HTTPLobby and its server.
type httpLobby struct {
	*http.Server
	lobby *wzhttpnet.Lobby
}

// newHTTPLobby returns a lobby without the limits on rates: attackers and
// honest clients have the same address.
func newHTTPLobby() httpLobby {
	l := &wzhttpnet.Lobby{NoRates: true}
	return httpLobby{l.Server(nil), l}
}

func (s httpLobby) Serve(l net.Listener) error { return s.Server.Serve(s.lobby.Limit(l)) }

func (s httpLobby) Close() error { return errors.Join(s.Server.Close(), s.lobby.Close()) }

// A legacyList is the side of a master that sends the legacy list.
type legacyList struct{ *gamespy1net.Master }

func (m legacyList) Serve(l net.Listener) error { return m.ServeLists(l) }

// A gameSpyList is the side of a master that sends lists.
type gameSpyList struct{ *gamespy2net.Master }

func (m gameSpyList) Serve(l net.Listener) error { return m.ServeLists(l) }

func proposalLobby(p proposalnet.Proposal) func() lobby {
	return func() lobby { return &proposalnet.Lobby{Proposal: p} }
}

func proposalClient(p proposalnet.Proposal) func(ctx context.Context, addr string) error {
	return func(ctx context.Context, addr string) error {
		_, err := (&proposalnet.Client{Proposal: p, ListEvery: -1}).List(ctx, addr)
		return err
	}
}

// started are the servers of a siege.
type started struct {
	targets []*target
	running sync.WaitGroup
	closers []func() error
}

// start begins with the echo server, the measure for the others.
func start(t *testing.T) *started {
	s := new(started)
	echo, end := startEcho(t)
	s.add([]*target{echo}, end)
	return s
}

// add adds targets and the function that ends their servers.
func (s *started) add(targets []*target, end func() error) {
	s.targets, s.closers = append(s.targets, targets...), append(s.closers, end)
}

// stop stops all servers.
func (s *started) stop(t *testing.T) {
	for _, end := range s.closers {
		must(t, end())
	}
	s.running.Wait()
}

// attackedWork starts the servers whose attackers request much work, memory or
// connections.
func attackedWork(t *testing.T, _ [][]byte) (targets []*target, stop func()) {
	s := start(t)
	s.add(attackedLists(t, 20_000))
	s.add(attackedHeartbeats(t, 20_000))
	s.add(attackedFilters(t))
	s.add(attackedHTTP2(t))
	s.add(attackedHosts(t))
	return s.targets, func() { s.stop(t) }
}

// attacked starts all servers on loopback with their default limits, under malformed
// messages.
func attacked(t *testing.T, messages [][]byte) (targets []*target, stop func()) {
	all := start(t)
	for i, k := range kinds {
		pc, err := net.ListenPacket("udp4", "127.0.0.1:0")
		must(t, err)
		s := k.make(t, lobbywire.Rates{})
		all.running.Go(func() { s.Serve(pc) })
		addr := pc.LocalAddr().(*net.UDPAddr).AddrPort()
		at := netip.AddrPortFrom(addr.Addr().Unmap(), addr.Port())
		all.add([]*target{{
			name:   k.name,
			honest: func(ctx context.Context) error { return clients[i](ctx, at.String()) },
			attack: []func(context.Context, *atomic.Int64){flood(at, messages), forge(s, messages)},
		}}, s.Close)
	}
	for i, k := range lists {
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		must(t, err)
		s := k.make()
		all.running.Go(func() { s.Serve(l) })
		addr := l.Addr().String()
		g := &target{name: k.name, honest: func(ctx context.Context) error { return k.honest(ctx, addr) }}
		for n := range 24 {
			do := [...]peer{slow, garbage, deaf}[n%3]
			g.attack = append(g.attack, connect(32*i+n, addr, messages, do))
		}
		all.add([]*target{g}, s.Close)
	}
	return all.targets, func() { all.stop(t) }
}
