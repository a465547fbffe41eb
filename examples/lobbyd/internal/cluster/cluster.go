package cluster

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// A Cluster is a node of one.
type Cluster struct {
	options Options
	self    writer
	server  *embedded // nil if it is elsewhere
	conn    *nats.Conn
	js      jetstream.JetStream

	ready   chan struct{}
	running sync.WaitGroup
	stop    context.CancelFunc
	wake    chan struct{} // the writer has something to do

	deliver sync.Mutex // held while sinks are told; before mu
	sinks   map[string]*sink
	floor   time.Time // when all entries were told last as if just heard of

	mu   sync.Mutex
	own  outbox
	copy replica
	link link
}

// A sink is a family that listens.
type sink struct {
	put    func(id string, body []byte, floor time.Time)
	remove func(id string)
}

// Open starts a node. It returns as soon as its own part runs; the others may
// not be there yet, see Ready and State. Until Close it joins them whenever it
// can.
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
		sinks:   make(map[string]*sink),
		own:     outbox{items: make(map[string]*item)},
		copy:    replica{held: make(map[string]held)},
		link:    link{since: time.Now(), heard: make(map[string]time.Time)},
	}
	if o.URL == "" {
		if c.server, err = start(o); err != nil {
			return nil, err
		}
	}
	if c.conn, err = connect(o, c.server); err == nil {
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
	return c, nil
}

// Ready is closed when the node has the whole list for the first time and holds
// its part of the bucket. A list that is served before may lack the entries of
// others. When nodes are restarted one after the other, the next may stop when
// this one is ready.
func (c *Cluster) Ready() <-chan struct{} { return c.ready }

// Node returns the name of the node.
func (c *Cluster) Node() string { return c.self.node }

// GameAgent returns the Store of a Master, of which there may be one.
func (c *Cluster) GameAgent() gameagentnet.Store { return gameAgentStore(c) }

// Bomberman returns the Store of a ManagementServer, of which there may be one.
func (c *Cluster) Bomberman() bombermannet.Store { return bombermanStore(c) }

// Warzone returns the Store of Games, of which there may be one.
func (c *Cluster) Warzone() warzonenet.Store { return warzoneStore(c) }

// Origin returns the name of the node that an entry has come from, "" if that is
// this one. The key is what identifies an entry of the family: "ip:port" of the
// game for GameAgent, otherwise the ID in decimal. Of what this node had before it
// was restarted, and has not heard of since, it returns its own name.
func (c *Cluster) Origin(f catalogue.Family, key string) string {
	id, ok := idOf(f, key)
	if !ok {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.copy.held[keyOf(f, id)].by.node
}

// Close writes what is yet to be written, as the removal of entries whose
// connections have been closed, says goodbye and ends the node; when ctx is done,
// without that. Servers that use its Stores should have been shut down before.
// Entries without a connection, those of GameAgent, are written again, too: a
// node that is restarted within the TTL finds them.
func (c *Cluster) Close(ctx context.Context) error {
	c.mu.Lock()
	c.own.refresh(time.Now(), 0)
	c.mu.Unlock()
	c.awake()
	flushed := c.flush(ctx)
	c.stop()
	c.running.Wait()
	if flushed == nil && c.State().Connected {
		bye, cancel := context.WithTimeout(ctx, askTimeout)
		// If it is lost, the others notice as they do when a node has died.
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
