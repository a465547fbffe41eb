package lobbywire_test

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// A queue holds the changes of a list until they are sent to other nodes: for each entry
// only the last change, so that a slow network cannot make it longer than the list.
type queue[E any, K comparable] struct {
	key  func(e E) K // returns the key of an entry
	wake chan struct{}

	mu      sync.Mutex
	changed map[K]*E // nil for an entry that was removed
	order   []K
}

func newQueue[E any, K comparable](key func(e E) K) *queue[E, K] {
	return &queue[E, K]{key: key, wake: make(chan struct{}, 1), changed: map[K]*E{}}
}

func (q *queue[E, K]) Put(e E)    { q.add(q.key(e), &e) }
func (q *queue[E, K]) Remove(k K) { q.add(k, nil) }
func (q *queue[E, K]) Expire(K)   {} // it expires at other nodes, too

func (q *queue[E, K]) add(k K, e *E) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, waits := q.changed[k]; !waits {
		q.order = append(q.order, k)
	}
	q.changed[k] = e
	select {
	case q.wake <- struct{}{}:
	default: // run has been woken already
	}
}

// Watch would receive the changes of other nodes.
func (q *queue[E, K]) Watch(put func(e E), remove func(k K)) (stop func()) { return func() {} }

// run passes changes to send, which may block, until ctx is done.
func (q *queue[E, K]) run(ctx context.Context, send func(k K, e *E)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-q.wake:
		}
		q.mu.Lock()
		order, changed := q.order, q.changed
		q.order, q.changed = nil, map[K]*E{}
		q.mu.Unlock()
		for _, k := range order {
			send(k, changed[k])
		}
	}
}

// A Store that sends changes over a network has a queue, so that the master never waits.
func ExampleStore() {
	ctx, cancel := context.WithCancel(context.Background())
	q := newQueue(func(name string) string { return name })
	var store lobbywire.Store[string, string] = q

	store.Put("duel")
	store.Put("reef")
	store.Remove("duel")
	sent := 0
	q.run(ctx, func(k string, e *string) {
		fmt.Println(k, "is listed:", e != nil) // a real one writes to a connection
		sent++
		if sent == 2 {
			cancel()
		}
	})

	// Masters take such a queue, here for the entries of a GameAgent master.
	var _ gamespy1net.Store = newQueue(func(e gamespy1net.Entry) netip.AddrPort { return e.Game })
	// Output:
	// duel is listed: false
	// reef is listed: true
}

// A directory is a Store that saves each entry to a file, for the next run of a master. It shares
// nothing with other nodes.
type directory string

func (d directory) path(game netip.AddrPort) string {
	return filepath.Join(string(d), strings.ReplaceAll(game.String(), ":", "_"))
}

func (d directory) Put(e gamespy1net.Entry) {
	if b, err := e.MarshalBinary(); err == nil {
		os.WriteFile(d.path(e.Game), b, 0o600)
	}
}

func (d directory) Remove(game netip.AddrPort) { os.Remove(d.path(game)) }
func (d directory) Expire(game netip.AddrPort) { os.Remove(d.path(game)) }

func (d directory) Watch(put func(e gamespy1net.Entry), _ func(game netip.AddrPort)) (stop func()) {
	paths, _ := filepath.Glob(filepath.Join(string(d), "*"))
	for _, path := range paths {
		var e gamespy1net.Entry
		if b, err := os.ReadFile(path); err == nil && e.UnmarshalBinary(b) == nil {
			put(e) // the master ignores what has expired
		}
	}
	return func() {}
}

// A Store can save a list, which a restarted master then has.
func ExampleStore_directory() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	game := netip.MustParseAddrPort("192.0.2.1:25600")
	directory(dir).Put(gamespy1net.Entry{Game: game, Seen: time.Now(), Heartbeat: ";level;Palenque;\xff"})

	m := gamespy1net.Master{Store: directory(dir)}
	defer m.Close()
	for e := range m.Servers() {
		fmt.Printf("%v: %q\n", e.Game, e.Heartbeat)
	}
	// Output: 192.0.2.1:25600: ";level;Palenque;\xff"
}
