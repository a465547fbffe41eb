package cluster

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// A place holds the addresses of a node, which stay the same when it restarts.
type place struct {
	options       Options
	lobby, bomber string // addresses of its servers
	tmp           string // temporary directory of a child; "" is a new one
}

// freeAddrs returns unused loopback addresses. Each test has its own IP address, so
// that tests do not take ports from each other.
func freeAddrs(t testing.TB, n int) []string {
	t.Helper()
	h := fnv.New32()
	io.WriteString(h, t.Name())
	sum := h.Sum(nil)
	host := netip.AddrFrom4([4]byte{127, sum[1], sum[2], sum[3]})
	var all []string
	for range n {
		l, err := net.Listen("tcp", netip.AddrPortFrom(host, 0).String())
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		all = append(all, l.Addr().String())
	}
	return all
}

// places returns n places of a cluster.
func places(t testing.TB, n int, ttl time.Duration) []*place {
	t.Helper()
	addrs := freeAddrs(t, 3*n)
	all := make([]*place, n)
	for i := range all {
		all[i] = &place{
			options: Options{Name: fmt.Sprint("node", i), TTL: ttl, Secret: "loopback", Logger: logger(t)},
			lobby:   addrs[n+i],
			bomber:  addrs[2*n+i],
		}
		if n > 1 {
			all[i].options.Cluster, all[i].options.Peers = addrs[i], addrs[:n]
		}
	}
	return all
}

// logger writes to the log of the test until the test ends.
func logger(t testing.TB) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelInfo}))
}

// A node is a running node of a cluster with its masters.
type node struct {
	*Cluster
	games  *warzonegames.Games
	lobby  *warzonenet.Lobby
	bomber *bombermannet.ManagementServer
	master *gamespy1net.Master
	served sync.WaitGroup
}

// wide is a limit that no test reaches.
const wide = 1 << 30

// run starts a node and does not wait until it is ready.
func (p *place) run(t testing.TB) *node {
	t.Helper()
	c, err := Open(t.Context(), p.options)
	if err != nil {
		t.Fatal(err)
	}
	n := &node{
		Cluster: c,
		games: &warzonegames.Games{
			Store: c.Warzone(), Limits: warzonegames.Limits{MaxPerAddress: wide, MaxPerPrefix: wide},
		},
		bomber: &bombermannet.ManagementServer{Store: c.Bomberman()},
		master: &gamespy1net.Master{
			Store: c.GameAgent(),
			Limits: gamespy1net.MasterLimits{
				Rates:      lobbywire.Rates{PerSource: wide, Global: wide},
				Lists:      lobbywire.Rates{PerSource: wide, Global: wide},
				MaxServers: wide, MaxPerPrefix: wide,
			},
		},
	}
	n.lobby = &warzonenet.Lobby{Games: n.games, NoVerify: true}
	n.served.Go(func() { n.lobby.Serve(listen(t, p.lobby)) })
	n.served.Go(func() { n.bomber.Serve(listen(t, p.bomber)) })
	n.master.Stats()               // joins the others
	t.Cleanup(func() { n.end(0) }) // the last nodes have no peers left
	return n
}

func listen(t testing.TB, addr string) net.Listener {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Error(err)
		return nil
	}
	return l
}

// end stops a node as lobbyd does, with a time limit. It may be called again.
func (n *node) end(goodbye time.Duration) error {
	if n.Cluster == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), goodbye)
	defer cancel()
	n.Freeze()
	n.lobby.Close()
	n.bomber.Close()
	n.master.Close()
	n.served.Wait()
	err := n.Close(ctx)
	n.Cluster = nil
	return err
}

// runAll starts nodes and waits until they are ready.
func runAll(t testing.TB, all []*place) []*node {
	t.Helper()
	var nodes []*node
	for _, p := range all {
		nodes = append(nodes, p.run(t))
	}
	for _, n := range nodes {
		n.wait(t)
	}
	return nodes
}

func (n *node) wait(t testing.TB) {
	t.Helper()
	select {
	case <-n.Ready():
	case <-time.After(40 * time.Second):
		t.Fatalf("%s is not ready: %+v", n.Node(), n.State())
	}
}

// enlist lists a game server of GameAgent at a node.
func (n *node) enlist(t testing.TB, game string) {
	t.Helper()
	addr := netip.MustParseAddrPort(game)
	from := netip.AddrPortFrom(addr.Addr(), addr.Port()+1)
	var challenge gameagent.Challenge
	for _, b := range nettest.Answers(n.master.Respond(from, []byte("q"), nil)) {
		var err error
		challenge, err = gameagent.ParseChallenge(b)
		if err != nil {
			t.Fatal(err)
		}
	}
	b, err := gameagent.Heartbeat{Challenge: challenge.Challenge, MaxPlayers: new(8), Level: "Karnak"}.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	n.master.Respond(from, b, nil)
}

// open opens a game of Warzone at a node and returns its ID.
func (n *node) open(t testing.TB, key string) uint32 {
	t.Helper()
	e, err := n.games.Add(warzonegames.Entry{Key: netip.MustParseAddrPort(key), Game: game(key)})
	if err != nil {
		t.Fatal(err)
	}
	return e.ID
}

func game(name string) warzone.Game {
	return warzone.Game{
		Version: warzone.Version4, Size: warzone.SizeOfGame, Name: name, MapName: "Rush", HostName: "J\xfcrgen",
		MaxPlayers: 4, CurrentPlayers: 1,
	}
}

// register keeps a Bomberman game server registered at a place until stop is called. set
// changes its number of players.
func (p *place) register(t testing.TB, name string) (set func(players int), stop func()) {
	t.Helper()
	r := &bombermannet.Registrar{Addr: p.bomber}
	set = func(players int) {
		t.Helper()
		if err := r.Set(bomberman.Server{
			Name: name, Address: "192.0.2.7", Port: 4000 + int(name[len(name)-1]), IsLobbyOpen: true,
			Players: bomberman.PlayerCount{Current: players, Max: 4}, GameplayMode: bomberman.GameplayModeStandardA,
		}); err != nil {
			t.Fatal(err)
		}
	}
	set(0)
	var done sync.WaitGroup
	done.Go(func() { r.Run(context.Background()) })
	stop = sync.OnceFunc(func() {
		r.Close()
		done.Wait()
	})
	t.Cleanup(stop)
	return set, stop
}

// soon is long for a busy machine, and shorter than the half of the TTL lasting, after which
// entries are written again.
const (
	soon    = 2 * time.Minute
	lasting = 10 * time.Minute
)

// listed returns the entries that a node lists, of all families, in order.
func (n *node) listed() []string {
	all := []string{}
	for _, b := range nettest.Answers(n.master.Respond(netip.MustParseAddrPort("198.51.100.7:4000"), []byte("e"), nil)) {
		if l, err := gameagent.ParseServerList(b); err == nil {
			for _, s := range l.Servers {
				all = append(all, "gameagent "+s.String())
			}
		}
	}
	for e := range n.games.All() {
		all = append(all, "warzone "+e.Game.Name)
	}
	for e := range n.bomber.Servers() {
		all = append(all, "bomberman "+e.Server.Name)
	}
	slices.Sort(all)
	return all
}

// until polls until a condition holds, and returns how long that took.
func until(t testing.TB, limit time.Duration, what string, holds func() bool) time.Duration {
	t.Helper()
	begin := time.Now()
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	for !holds() {
		if time.Since(begin) > limit {
			t.Fatalf("after %v: not %s", limit, what)
		}
		<-look.C
	}
	return time.Since(begin)
}

// expect waits until all nodes list the same.
func expect(t testing.TB, limit time.Duration, nodes []*node, want ...string) time.Duration {
	t.Helper()
	slices.Sort(want)
	begin := time.Now()
	for _, n := range nodes {
		until(t, limit, fmt.Sprintf("%s lists %q, but %q", n.Node(), want, n.listed()),
			func() bool { return slices.Equal(n.listed(), want) })
	}
	return time.Since(begin)
}

// A proxy passes on connections until it is cut.
type proxy struct {
	to       string
	listener net.Listener

	mu    sync.Mutex
	cut   bool
	conns []net.Conn
}

func newProxy(t testing.TB, to string) *proxy {
	p := &proxy{to: to, listener: listen(t, "127.0.0.1:0")}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			in, err := p.listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() { p.pass(in) })
		}
	})
	t.Cleanup(func() {
		p.listener.Close()
		p.set(true)
		running.Wait()
	})
	return p
}

func (p *proxy) pass(in net.Conn) {
	defer in.Close()
	out, err := net.Dial("tcp", p.to)
	if err != nil {
		return
	}
	defer out.Close()
	p.mu.Lock()
	if p.cut {
		p.mu.Unlock()
		return
	}
	p.conns = append(p.conns, in, out)
	p.mu.Unlock()
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{in, out}, {out, in}} {
		both.Go(func() {
			io.Copy(way[0], way[1])
			way[0].Close()
		})
	}
	both.Wait()
}

func (p *proxy) set(cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = cut
	if cut {
		for _, c := range p.conns {
			c.Close()
		}
		p.conns = nil
	}
}

// behindProxies makes places reach each other through proxies. It returns a function
// that disconnects a place from all others, or reconnects it.
func behindProxies(t testing.TB, all []*place) (cut func(i int, off bool)) {
	ways := make(map[[2]int]*proxy)
	for i, p := range all {
		var peers []string
		for j, other := range all {
			if i == j {
				peers = append(peers, p.options.Cluster)
				continue
			}
			ways[[2]int{i, j}] = newProxy(t, other.options.Cluster)
			peers = append(peers, ways[[2]int{i, j}].listener.Addr().String())
		}
		p.options.Peers = peers
	}
	nowhere := freeAddrs(t, 1)[0]
	for _, p := range all {
		// Nodes advertise the addresses of other nodes. Without that, all routes go
		// through the proxies.
		p.options.tune = func(so *server.Options) { so.Cluster.Advertise = nowhere }
	}
	return func(i int, off bool) {
		for way, p := range ways {
			if way[0] == i || way[1] == i {
				p.set(off)
			}
		}
	}
}
