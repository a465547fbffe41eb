package cluster

import (
	"context"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Times and sizes of writes.
const (
	atOnce       = 2048 // size of a batch
	minAtOnce    = 16
	writeTimeout = 5 * time.Second
	askTimeout   = 2 * time.Second
	minBackOff   = 100 * time.Millisecond
	maxBackOff   = 2 * time.Second
)

// put queues an entry of this node for writing.
func (c *Cluster) put(key string, body []byte, until time.Time) {
	c.mu.Lock()
	c.own.set(key, c.self, body, until)
	c.mu.Unlock()
	c.awake()
}

// remove queues the removal of an entry of any node, except after Freeze. It is void after a
// TTL: then the entry has expired in the bucket, unless another node has it.
func (c *Cluster) remove(key string) {
	c.mu.Lock()
	if !c.own.frozen {
		c.own.set(key, c.self, nil, time.Now().Add(c.options.TTL))
	}
	c.mu.Unlock()
	c.awake()
}

func (c *Cluster) awake() { wake(c.wake) }

// wake wakes the goroutine that receives from a channel, which holds one value.
func wake(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default: // it is to wake up already
	}
}

// write writes due items until ctx is done. A batch is acknowledged before the next
// begins, so no key is in two batches at once.
func (c *Cluster) write(ctx context.Context) {
	backOff, window := minBackOff, atOnce
	for {
		c.mu.Lock()
		batch := c.own.take(window, time.Now(), c.isWholeLocked())
		c.mu.Unlock()
		if len(batch) == 0 {
			select {
			case <-c.wake:
				continue
			case <-ctx.Done():
				return
			}
		}
		if c.writeAll(ctx, batch) {
			backOff, window = minBackOff, min(2*window, atOnce)
			continue
		}
		window = max(window/4, minAtOnce) // the cluster may be overloaded
		select {
		case <-time.After(backOff):
			backOff = min(2*backOff, maxBackOff)
		case <-ctx.Done():
			return
		}
	}
}

// writeAll writes a batch. ok is true if all writes were acknowledged; the others
// become due again.
func (c *Cluster) writeAll(ctx context.Context, batch []write) (ok bool) {
	acks := make([]jetstream.PubAckFuture, len(batch))
	errs := make([]error, len(batch))
	for i, w := range batch {
		acks[i], errs[i] = c.js.PublishMsgAsync(message(w.key, w.by, w.body), jetstream.WithRetryAttempts(0))
	}
	in, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	revisions := make([]uint64, len(batch))
	for i := range batch {
		if errs[i] != nil {
			continue
		}
		select {
		case ack := <-acks[i].Ok():
			revisions[i] = ack.Sequence
		case errs[i] = <-acks[i].Err():
		case <-in.Done():
			errs[i] = in.Err()
		}
	}
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	ok = true
	for i, w := range batch {
		c.own.done(w, revisions[i], errs[i], now)
		ok = ok && errs[i] == nil
	}
	return ok
}

// message returns the message that sets a key, or removes it if body is nil. A
// removal is signed too. It is a purge, which leaves no marker when it expires.
func message(key string, by writer, body []byte) *nats.Msg {
	m := &nats.Msg{Subject: subject + key, Data: by.sign(body)}
	if body == nil {
		m.Header = nats.Header{"KV-Operation": {"PURGE"}, jetstream.MsgRollup: {jetstream.MsgRollupSubject}}
	}
	return m
}

// flush waits until everything is written.
func (c *Cluster) flush(ctx context.Context) error {
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		c.mu.Lock()
		left := len(c.own.due) + c.own.writing
		c.mu.Unlock()
		if left == 0 {
			return nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
