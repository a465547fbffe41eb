package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Times of the link. A node that receives nothing from the bucket for patience is cut
// off.
const (
	pulseEvery = time.Second
	patience   = 3 * time.Second
	renewEvery = 10 * time.Second

	// settle is the time that other nodes have, once this node is connected again, to
	// reconnect and write their entries before these are dropped. A node that was frozen has
	// the same time to hear its pulse.
	settle = 5 * time.Second

	// firstComplaint is longer than an election, which is not worth a warning.
	firstComplaint = 10 * time.Second
	complainEvery  = time.Minute
)

// The minimum version of a NATS server elsewhere.
const leastMajor, leastMinor = 2, 9

// nodes is the family of the keys of nodes.
const nodes = "node"

// A link is the state of the connection to the bucket. Each node writes a pulse every
// second. A pulse that comes back through the watch shows that everything written
// before it has arrived too.
type link struct {
	connected bool
	since     time.Time
	noticed   time.Time // when this node found that it is cut off
	lost      uint64    // generation that copy.generation had then
	pulse     time.Time // when this node's pulse last came back
	unheard   bool      // the last pulse has reached no server with the bucket
	complete  uint64    // generation of the last complete watch
	renewed   time.Time
	behind    time.Time        // when the watch last showed an entry with others to follow
	heard     map[string]pulse // by node
	refusal   error            // why the connection to NATS failed last
}

// A pulse is the last one of another node. A watch that begins shows old pulses again, with their
// revision.
type pulse struct {
	run      string
	revision uint64
	at       time.Time // when it came
}

// watch keeps the copy up to date until ctx is done. It restarts a watch that falls
// silent, or when the node finds that it is cut off. The next one shows all entries again.
func (c *Cluster) watch(ctx context.Context) {
	complain := time.Now().Add(firstComplaint)
	suitable := true
	for ctx.Err() == nil {
		err := c.watchOnce(ctx)
		if c.server != nil && ctx.Err() == nil {
			c.startAnew(err)
		}
		if why := c.unsuitable(err); why != nil {
			if suitable {
				complain = time.Now() // waiting does not help
			}
			suitable, err = false, why
		}
		switch {
		case err == nil:
			complain, suitable = time.Now().Add(firstComplaint), true
		case ctx.Err() == nil && !time.Now().Before(complain):
			c.options.Logger.Warn("cluster: the bucket is out of reach", "node", c.self.node, "error", c.cause(err))
			complain = time.Now().Add(complainEvery)
		}
		select {
		case <-time.After(minBackOff):
		case <-ctx.Done():
		}
	}
}

// unsuitable returns why a NATS server elsewhere cannot have the bucket, judging by an
// error, or nil.
func (c *Cluster) unsuitable(err error) error {
	if err == nil || c.options.URL == "" {
		return nil
	}
	var major, minor int
	fmt.Sscanf(c.conn.ConnectedServerVersion(), "%d.%d", &major, &minor) // 0.0 unless connected
	switch {
	case major == 0:
		return nil
	case major < leastMajor || major == leastMajor && minor < leastMinor:
		return fmt.Errorf("NATS %d.%d is too old, want %d.%d: %w", major, minor, leastMajor, leastMinor, err)
	case isWithoutJetStream(err):
		return fmt.Errorf("the NATS server does not offer JetStream: %w", err)
	}
	return nil
}

// isWithoutJetStream reports whether NATS answers but cannot have the bucket.
func isWithoutJetStream(err error) bool {
	return errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrJetStreamNotEnabled) ||
		errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount)
}

// cause returns the reason for a lost connection rather than its consequences.
func (c *Cluster) cause(err error) error {
	if c.conn.IsConnected() {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return cmp.Or(c.link.refusal, err)
}

// refused notes why the connection to NATS failed. It logs each new reason at once; watch
// repeats the last one.
func (c *Cluster) refused(err error) {
	if errors.Is(err, nats.ErrNoServers) {
		return // of the first try; the second says why
	}
	c.mu.Lock()
	before := c.link.refusal
	c.link.refusal = err
	c.mu.Unlock()
	if before == nil || before.Error() != err.Error() {
		c.options.Logger.Warn("cluster: no connection to NATS; trying again", "node", c.self.node, "error", err)
	}
}

func (c *Cluster) watchOnce(ctx context.Context) error {
	kv, err := c.open(ctx)
	if err != nil {
		return err
	}
	select {
	case <-c.again: // this is another watch
	default:
	}
	w, err := kv.WatchAll(ctx)
	if err != nil {
		return err
	}
	defer func() {
		w.Stop()
		for range w.Updates() { // unblocks the sender
		}
	}()
	c.mu.Lock()
	c.copy.generation++
	generation := c.copy.generation
	c.mu.Unlock()
	silence := time.NewTimer(patience)
	defer silence.Stop()
	for {
		select {
		case e, ok := <-w.Updates():
			if !ok {
				return nil
			}
			if e != nil {
				c.apply(e, generation)
			}
			silence.Reset(patience)
		case <-silence.C:
			return nil
		case <-c.again:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}

// pulse writes the key of this node, with the generation of the current watch, until
// ctx is done.
func (c *Cluster) pulse(ctx context.Context) {
	beat := time.NewTicker(pulseEvery)
	defer beat.Stop()
	for {
		c.mu.Lock()
		generation := c.copy.generation
		c.mu.Unlock()
		if generation > 0 {
			body := strconv.AppendUint(nil, generation, 10)
			in, cancel := context.WithTimeout(ctx, askTimeout)
			_, err := c.js.PublishMsg(in, message(keyOf(nodes, c.self.node), c.self, body))
			cancel()
			c.mu.Lock()
			c.link.unheard = errors.Is(err, jetstream.ErrNoStreamResponse)
			c.mu.Unlock()
			if err != nil {
				c.options.Logger.Debug("cluster: no pulse", "error", err)
			}
		}
		select {
		case <-beat.C:
		case <-ctx.Done():
			return
		}
	}
}

// follow notes how many entries follow the current one of the watch.
func (c *Cluster) follow(pending uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.link.behind = time.Time{}
	if pending > 0 {
		c.link.behind = time.Now()
	}
}

// hear handles the pulse of a node or its removal.
func (c *Cluster) hear(by writer, revision uint64, body string, alive bool, node string) {
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if node != c.self.node {
		last := max(c.options.TTL, patience)
		maps.DeleteFunc(c.link.heard, func(_ string, p pulse) bool { return now.Sub(p.at) > last })
		switch {
		case !alive:
			delete(c.link.heard, node)
		case c.link.heard[node].revision != revision:
			c.link.heard[node] = pulse{by.run, revision, now}
		}
		return
	}
	generation, err := strconv.ParseUint(body, 10, 64)
	if !alive || by != c.self || err != nil || generation != c.copy.generation {
		return
	}
	c.link.pulse = now
	if !c.link.connected {
		c.link.connected, c.link.since, c.link.refusal = true, now, nil
		c.options.Logger.Info("cluster: connected", "node", c.self.node)
	}
	if c.link.complete != generation {
		c.link.complete, c.link.since = generation, now
		c.completeLocked()
	}
}

// tick calls step periodically until ctx is done.
func (c *Cluster) tick(ctx context.Context) {
	beat := time.NewTicker(min(pulseEvery, c.options.TTL/8))
	defer beat.Stop()
	ready := c.ready
	for {
		select {
		case now := <-beat.C:
			if c.step(now) && ready != nil && c.server.whole() {
				close(ready)
				ready = nil
			}
		case <-ctx.Done():
			return
		}
	}
}

// isWholeLocked reports whether the copy is complete and up to date.
func (c *Cluster) isWholeLocked() bool {
	return c.link.connected && c.link.complete == c.copy.generation
}

// step does the work that is due. It reports whether the copy is complete and up to
// date.
func (c *Cluster) step(now time.Time) bool {
	c.mu.Lock()
	if c.link.connected && now.Sub(c.link.pulse) > patience {
		c.link.connected, c.link.since, c.link.renewed = false, c.link.pulse, time.Time{}
		c.copy.generation++ // no pulse counts until another watch has shown all entries
		c.link.noticed, c.link.lost = now, c.copy.generation
		wake(c.again)
		c.options.Logger.Warn("cluster: cut off, serving the last copy", "node", c.self.node)
	}
	whole := c.isWholeLocked()
	if whole {
		c.own.refresh(now, c.options.TTL/2)
	}
	away := !c.link.connected && now.Sub(c.link.since) >= c.options.TTL && now.Sub(c.link.noticed) >= settle
	sweep := whole && now.Sub(c.link.since) >= settle
	renew, due := !c.link.connected, now.Sub(c.link.renewed) >= renewEvery
	c.mu.Unlock()
	c.awake()
	switch {
	case away:
		c.forget(now)
	case sweep:
		renew = c.sweep(now) > 0
	}
	if renew && due {
		c.renew(now)
	}
	return whole
}
