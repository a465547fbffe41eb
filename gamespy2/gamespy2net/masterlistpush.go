package gamespy2net

import (
	"context"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// pushEvery is the minimum time between two batches of changes for a client.
const pushEvery = time.Second

// subscribe starts to send the client the changes of its list after a position,
// unless there are too many subscribers.
func (b *browser) subscribe(ctx context.Context, keys []sb2.Key, position uint64) {
	if b.lists.subscribers.Add(1) > b.lists.maxSubscribers {
		b.lists.subscribers.Add(-1)
		return
	}
	b.pushing.Go(func() {
		defer b.lists.subscribers.Add(-1)
		if err := b.push(ctx, keys, position); err != nil {
			b.conn.End(err)
		}
	})
}

// push sends changes until ctx is done; it then returns nil.
func (b *browser) push(ctx context.Context, keys []sb2.Key, position uint64) error {
	if err := b.send(sb2.PushKeys{Keys: keys}); err != nil {
		return err
	}
	alive := time.NewTicker(b.lists.loop.Limits.Idle / 3)
	defer alive.Stop()
	var changes []change
	for {
		wake := b.changed(b.game)
		var ok bool
		if changes, position, ok = b.changesSince(b.game, position, changes[:0]); !ok {
			return errFellBehind
		}
		if len(changes) > 0 {
			if err := b.sendChanges(keys, changes); err != nil {
				return err
			}
			wake = nil
		}
		pause := time.NewTimer(pushEvery) // bounds the wait, to find expired servers
		select {
		case <-ctx.Done():
			pause.Stop()
			return nil
		case <-wake:
			pause.Stop()
		case <-alive.C:
			pause.Stop()
			if err := b.send(sb2.Keepalive{}); err != nil {
				return err
			}
		case <-pause.C:
		}
	}
}

// sendChanges sends the latest change of each server.
func (b *browser) sendChanges(keys []sb2.Key, changes []change) error {
	seen := make(map[netip.AddrPort]bool, len(changes))
	last := changes[:0:0]
	for _, c := range slices.Backward(changes) {
		if !seen[c.server.addr] {
			seen[c.server.addr] = true
			last = append(last, c)
		}
	}
	b.writing.Lock()
	defer b.writing.Unlock()
	fields := make([]sb2.KeyValue, len(keys))
	var p []byte
	for _, c := range slices.Backward(last) {
		var err error
		if p, err = b.appendChange(p[:0], keys, c, fields); err != nil {
			return err
		}
		if err := b.write(p); err != nil {
			return err
		}
		b.lists.pushed.Add(1)
	}
	return b.flush()
}

// appendChange appends the message that pushes a change. A server that no longer
// meets the filter is deleted for the client.
func (b *browser) appendChange(p []byte, keys []sb2.Key, c change, fields []sb2.KeyValue) ([]byte, error) {
	r := b.rowOf(c.server)
	if c.removed || !b.filter.Match(r.lookup) {
		return sb2.DeleteServer{Addr: c.server.addr}.AppendBinary(p)
	}
	return sb2.PushServer{Keys: keys, Server: r.server(keys, true, fields)}.AppendBinary(p)
}

// rules sends all keys of a server, or nothing if the server is not listed.
func (b *browser) rules(addr netip.AddrPort) error {
	l, _, ok := b.listingAt(b.game, addr)
	if !ok {
		return nil
	}
	r := b.rowOf(l)
	b.lists.rules.Add(1)
	return b.send(sb2.PushServer{Server: r.rules()})
}

// appendTable appends the values of a table under their keys with the number of the
// row.
func appendTable(rules []sb2.KeyValue, t *gamespy2.Table) []sb2.KeyValue {
	for i, values := range t.Rows {
		number := strconv.Itoa(i)
		for column, value := range values {
			rules = append(rules, sb2.KeyValue{Key: t.Columns[column] + number, Value: value})
		}
	}
	return rules
}
