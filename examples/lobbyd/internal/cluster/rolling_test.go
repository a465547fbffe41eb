package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// All nodes are restarted in turn. Clients that keep fetching lists see every entry once, also
// the entries of the node that restarts.
func TestRollingRestartLosesNoEntry(t *testing.T) {
	suite.Long(t, "elections")
	t.Parallel()
	const ttl = 30 * time.Second // longer than two elections of NATS, of up to 9 s each
	at := places(t, 3, ttl)
	nodes := runAll(t, at)
	var all []string
	for i, n := range nodes {
		at[i].host(t, fmt.Sprint("game", i), 2100+i)
		at[i].register(t, fmt.Sprint("server", i))
		n.enlist(t, fmt.Sprintf("192.0.2.%d:25600", i))
		all = append(all, fmt.Sprint("warzone game", i), fmt.Sprint("bomberman server", i),
			fmt.Sprintf("gameagent 192.0.2.%d:25600", i))
	}
	expect(t, soon, nodes, all...)

	var clients []*lister
	for i := range nodes {
		c, stop := at[i].list(t, nodes[i])
		defer stop()
		c.expect(all)
		clients = append(clients, c)
	}
	begin := time.Now()
	for i := range nodes {
		clients[i].pause()
		if err := nodes[i].end(10 * time.Second); err != nil {
			t.Error(err)
		}
		nodes[i] = at[i].run(t)
		nodes[i].wait(t)
		clients[i].resume(nodes[i])
		// Hosts register again, except the GameAgent server, which does not notice the
		// restart.
		expect(t, 30*time.Second, nodes, all...)
	}
	t.Logf("three restarts in %v", time.Since(begin))
	until(t, 2*ttl, "time for what nobody writes again to go", func() bool { return time.Since(begin) > ttl+2*settle })
	lists := 0
	for _, c := range clients {
		c.pause()
		lists += int(c.lists.Load())
	}
	t.Logf("%d lists", lists)
	if lists < 100 {
		t.Errorf("%d lists are too few", lists)
	}
}

// host runs a Warzone host whose lobby is at a place.
func (p *place) host(t testing.TB, name string, port int) {
	t.Helper()
	g := game(name)
	g.HostPort = uint16(port)
	h := &warzonenet.Host{Addr: p.lobby}
	if err := h.Set(g); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() { h.Run(ctx) })
	t.Cleanup(func() {
		stop()
		done.Wait()
	})
}

// A lister fetches the lists of a node repeatedly.
type lister struct {
	lists atomic.Int64

	mu   sync.Mutex // held while a list is fetched, and during a pause
	node *node
	want []string
}

// list fetches the lists of a node until stop is called.
func (p *place) list(t testing.TB, n *node) (l *lister, stop func()) {
	l = &lister{node: n}
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		games := warzonenet.Client{ListEvery: -1}
		servers := bombermannet.Client{ListEvery: -1}
		pace := time.NewTicker(20 * time.Millisecond)
		defer pace.Stop()
		for ctx.Err() == nil {
			<-pace.C
			l.once(ctx, t, p, &games, &servers)
		}
	})
	return l, func() {
		cancel()
		done.Wait()
	}
}

func (l *lister) once(ctx context.Context, t testing.TB, p *place, games *warzonenet.Client,
	servers *bombermannet.Client) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.node == nil || ctx.Err() != nil {
		return
	}
	g, err := games.List(ctx, p.lobby)
	if err != nil && ctx.Err() == nil {
		t.Errorf("games of %s: %v", l.node.Node(), err)
	}
	s, err := servers.List(ctx, p.bomber)
	if err != nil && ctx.Err() == nil {
		t.Errorf("servers of %s: %v", l.node.Node(), err)
	}
	if ctx.Err() != nil {
		return
	}
	var got []string
	for _, g := range g.Games {
		got = append(got, "warzone "+g.Name)
	}
	for _, s := range s.Servers {
		got = append(got, "bomberman "+s.Name)
	}
	for _, one := range l.node.listed() {
		if strings.HasPrefix(one, "gameagent ") {
			got = append(got, one)
		}
	}
	l.lists.Add(3)
	if len(g.Games) == 0 || len(s.Servers) == 0 {
		t.Errorf("%s shows an empty list: %q", l.node.Node(), got)
	}
	slices.Sort(got)
	if len(slices.Compact(slices.Clone(got))) < len(got) {
		t.Errorf("%s shows something twice: %q", l.node.Node(), got)
	}
	l.want = slices.DeleteFunc(l.want, func(want string) bool { // each fault is said once
		lacks := !slices.Contains(got, want)
		if lacks {
			t.Errorf("%s lacks %q: %q", l.node.Node(), want, got)
		}
		return lacks
	})
}

// expect sets the entries that every later list must contain.
func (l *lister) expect(want []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.want = slices.Clone(want)
}

// pause waits for the current list. The next one is fetched after resume.
func (l *lister) pause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.node = nil
}

func (l *lister) resume(n *node) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.node = n
}
