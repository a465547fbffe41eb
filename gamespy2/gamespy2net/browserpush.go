package gamespy2net

import (
	"context"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/internal/gamelist"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// pushEvery is the minimum time between two batches of changes for a client.
const pushEvery = time.Second

// subscribe starts to send the client the changes of its list after a position,
// unless there are too many subscribers.
func (b *browser) subscribe(ctx context.Context, position uint64) {
	if b.lists.subscribers.Add(1) > b.lists.maxSubscribers.Load() {
		b.lists.subscribers.Add(-1)
		return
	}
	b.pushing.Go(func() {
		defer b.lists.subscribers.Add(-1)
		if err := b.push(ctx, position); err != nil {
			b.conn.End(err)
		}
	})
}

// push sends changes until ctx is done; it then returns nil.
func (b *browser) push(ctx context.Context, position uint64) error {
	if err := b.send(sb2.PushKeys{Keys: b.keys}); err != nil {
		return err
	}
	alive := time.NewTicker(b.lists.conns.CurrentLimits().Idle / 3)
	defer alive.Stop()
	work := b.newWork()
	var changes []gamelist.Change
	for {
		latest, next, wake, ok := b.lists.catalogue.changesSince(b.game, position, changes[:0])
		if !ok {
			return errFellBehind
		}
		changes, position = latest, next
		if len(changes) > 0 {
			if err := b.sendChanges(changes, work); err != nil {
				return err
			}
			clear(changes) // to release their listings
			wake = nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-alive.C:
			if err := b.send(sb2.Keepalive{}); err != nil {
				return err
			}
		case <-wake:
		case <-time.After(pushEvery): // bounds the wait, to find expired servers
		}
	}
}

// sendChanges sends the latest change of each server. It fails if the filter exceeds the
// limit of the client.
func (b *browser) sendChanges(changes []gamelist.Change, work *filterWork) error {
	defer work.charge()
	if err := work.begin(); err != nil {
		b.lists.costly.Add(1)
		return err
	}
	seen := make(map[netip.AddrPort]bool, len(changes))
	last := changes[:0:0]
	for _, c := range slices.Backward(changes) {
		if !seen[c.Addr] {
			seen[c.Addr] = true
			last = append(last, c)
		}
	}
	b.writing.Lock()
	defer b.writing.Unlock()
	fields := make([]sb2.KeyValue, len(b.keys))
	var p []byte
	for _, c := range slices.Backward(last) {
		matches, err := false, error(nil)
		if c.Server != nil {
			matches, err = work.match(c.Server)
		}
		if err != nil {
			b.lists.costly.Add(1)
			return err
		}
		if !matches { // a server that no longer meets the filter is deleted
			p, err = sb2.DeleteServer{Addr: c.Addr}.AppendBinary(p[:0])
		} else {
			p, err = sb2.PushServer{Keys: b.keys, Server: c.Server.Server(b.keys, true, fields)}.AppendBinary(p[:0])
		}
		if err != nil {
			return err
		}
		if err := b.write(p); err != nil {
			return err
		}
		b.lists.pushed.Add(1)
	}
	return b.flush()
}
