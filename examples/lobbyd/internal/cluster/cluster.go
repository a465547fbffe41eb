package cluster

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/entries"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A Cluster is one node of a cluster.
type Cluster struct {
	options Options
	self    writer
	server  *embedded // nil if the server is elsewhere
	conn    *nats.Conn
	js      jetstream.JetStream

	ready   chan struct{}
	running sync.WaitGroup
	stop    context.CancelFunc
	wake    chan struct{} // wakes the writer
	again   chan struct{} // restarts the watch
	quorum  quorum        // of watch
	tooFew  time.Time     // since when too few nodes for all replicas are there; of watch

	deliver sync.Mutex // held while sinks are called; locked before mu
	sinks   map[string]*sink
	floor   time.Time // when the Seen times of all entries were last renewed

	mu   sync.Mutex
	own  outbox
	copy replica
	link link
}

// A sink receives the changes of one family.
type sink struct {
	put    func(id string, body []byte, floor time.Time)
	remove func(id string)
}

// Open starts a node. It returns as soon as the local part runs, even if other nodes
// are missing; see Ready and State. The node joins the others whenever it can, until
// Close.
func Open(ctx context.Context, o Options) (*Cluster, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	c := &Cluster{
		options: o,
		self:    writer{node: o.Name, run: rand.Text()[:8]},
		ready:   make(chan struct{}),
		wake:    make(chan struct{}, 1),
		again:   make(chan struct{}, 1),
		sinks:   make(map[string]*sink),
		own:     outbox{items: make(map[string]*item)},
		copy:    replica{held: make(map[string]held)},
		link:    link{since: time.Now(), heard: make(map[string]pulse)},
	}
	if o.URL == "" {
		c.server, err = start(o)
		if err != nil {
			return nil, err
		}
	}
	c.conn, err = connect(o, c.server, c.refused)
	if err == nil {
		c.js, err = jetstream.New(c.conn, jetstream.WithPublishAsyncMaxPending(2*atOnce),
			jetstream.WithPublishAsyncTimeout(writeTimeout), jetstream.WithDefaultTimeout(askTimeout))
	}
	if err != nil {
		if c.conn != nil {
			c.conn.Close()
		}
		c.server.stop()
		return nil, err
	}
	run, stop := context.WithCancel(context.Background())
	c.stop = stop
	c.running.Go(func() { c.watch(run) })
	c.running.Go(func() { c.write(run) })
	c.running.Go(func() { c.pulse(run) })
	c.running.Go(func() { c.tick(run) })
	if c.server != nil {
		c.running.Go(func() { c.repair(run) })
	}
	if c.server != nil && o.Replicas > 1 {
		c.running.Go(func() { c.spread(run) })
	}
	return c, nil
}

// Ready is closed when the node has the whole list for the first time and its replica
// of the bucket is complete. Lists that are served earlier may lack entries of other
// nodes. In a rolling restart, stop the next node only when this one is ready.
func (c *Cluster) Ready() <-chan struct{} { return c.ready }

// Node returns the name of the node.
func (c *Cluster) Node() string { return c.self.node }

// GameAgent returns the Store for one Master.
func (c *Cluster) GameAgent() gamespy1net.Store {
	return &shared[gamespy1net.Entry, netip.AddrPort]{entries.GameAgent(), c}
}

// GameSpy returns the Store for one Master.
func (c *Cluster) GameSpy() gamespy2net.Store {
	return &shared[gamespy2net.Entry, netip.AddrPort]{entries.GameSpy(), c}
}

// Bomberman returns the Store for one ManagementServer.
func (c *Cluster) Bomberman() bombermannet.Store {
	return &shared[bombermannet.Entry, uint64]{entries.Bomberman(), c}
}

// Warzone returns the Store for one Games.
func (c *Cluster) Warzone() warzonegames.Store {
	return &shared[warzonegames.Entry, uint32]{entries.Warzone(), c}
}

// Origin returns the name of the node that an entry is from, or "" if it is this node. The
// key identifies an entry within its family: "ip:port" of the game for GameAgent and of the
// query port for GameSpy, otherwise the ID in decimal. For an entry from before a restart
// whose server has not sent anything since, it returns the name of this node.
func (c *Cluster) Origin(f catalogue.Family, key string) string {
	id, ok := entries.ID(f, key)
	if !ok {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.copy.held[keyOf(f, id)].by.node
}

// IsOurs reports whether an entry, with the ID of its form, is from an earlier process of
// this node.
func (c *Cluster) IsOurs(f catalogue.Family, id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.copy.held[keyOf(f, id)].by.node == c.self.node
}

// Freeze makes the Stores ignore later removals, so that the other nodes list the entries of
// this node for a TTL. Call it before a shutdown closes the connections of hosts: these
// return to this node or to another one.
func (c *Cluster) Freeze() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.own.frozen = true
}

// Close writes what is pending, and the entries of this node once more, so that they last a
// TTL. Then it stops the node. It stops writing when ctx is done. Call Freeze, and shut down
// the servers that use the Stores, first.
func (c *Cluster) Close(ctx context.Context) error {
	c.mu.Lock()
	if c.isWholeLocked() {
		c.own.refresh(time.Now(), 0)
	}
	c.mu.Unlock()
	c.awake()
	flushed := c.flush(ctx)
	c.stop()
	c.running.Wait()
	if flushed == nil && c.State().Connected {
		bye, cancel := context.WithTimeout(ctx, askTimeout)
		// If this write is lost, the other nodes notice as if the node had died.
		c.js.PublishMsg(bye, message(keyOf(nodes, c.self.node), c.self, nil))
		cancel()
	}
	c.conn.Close()
	if err := c.server.stop(); err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	if flushed != nil {
		return fmt.Errorf("cluster: not all was written: %w", flushed)
	}
	return nil
}
