package gamelist

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// A Cache caches the encoded lists of a game.
type Cache struct {
	Total *atomic.Int64 // bytes of the lists of all games

	mu    sync.Mutex
	lists map[Form]*Encoded
	size  int64       // of these lists, in total
	timer *time.Timer // for expire; nil without lists
}

// A Form is the part of a request that determines the bytes of the list.
type Form struct {
	Fields sb2.FieldList
	All    bool // fields of all servers, not only of those that negotiate through NAT
}

// An Encoded is a list in wire form, before encryption. Only the counts of the Cache
// change.
type Encoded struct {
	Servers  []*Listing
	Position uint64 // of the servers in the changes of the game
	Appender *sb2.ListAppender
	popular  time.Time // when the appender was made
	plain    []byte
	ends     []int // of the servers in plain
	made     time.Time
	took     time.Duration // to make it

	used     time.Time
	outdated int // bytes of the servers that have changed since
}

// Limits of a Cache. A new list replaces lists that have not been used for the longest
// time.
const (
	maxEncoded     = 16               // lists
	maxEncodedSize = 16 << 20         // bytes of all lists of a Master, beside one of each game
	encodedExpiry  = 20 * time.Second // after which an unused list is removed
	stale          = 20               // a list may be sent for this multiple of the time to make all lists
	newPopular     = time.Minute      // the popular values of a list are chosen again after this
)

// Get returns the list in a form, current or recent, with the fields in keys. The snapshot
// returns the servers and their position in the changes of the game, or no servers if
// there were no changes since a position.
func (c *Cache) Get(
	id Form, keys []sb2.Key, snapshot func(since uint64) (all []*Listing, position uint64),
) *Encoded {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := &Encoded{made: time.Now()}
	k.used = k.made
	since, old := uint64(0), c.lists[id]
	if old != nil {
		old.used = k.made
		if k.made.Sub(old.made) < stale*c.took() {
			return old
		}
		since = old.Position
	}
	k.Servers, k.Position = snapshot(since)
	if old != nil && k.Position == since {
		return old
	}
	k.encode(keys, id.All, old)
	k.took = time.Since(k.made)
	c.keep(id, k)
	return k
}

// Parts returns the servers from first to end.
func (k *Encoded) Parts(first, end int) []byte {
	if end == 0 {
		return nil
	}
	start := 0
	if first > 0 {
		start = k.ends[first-1]
	}
	return k.plain[start:k.ends[end-1]]
}

// took returns the time to make all lists.
func (c *Cache) took() (d time.Duration) {
	for _, k := range c.lists {
		d += k.took
	}
	return d
}

// keep adds the latest list, and removes others for which there is no room. The caller
// holds c.mu.
func (c *Cache) keep(id Form, k *Encoded) {
	if c.lists == nil {
		c.lists = make(map[Form]*Encoded)
	}
	c.lists[id] = k
	for _, old := range c.lists {
		old.outdated = old.outdatedSince(k)
	}
	c.count()
	for len(c.lists) > 1 && (len(c.lists) > maxEncoded || c.Total.Load() > maxEncodedSize) {
		delete(c.lists, slices.MinFunc(slices.Collect(maps.Keys(c.lists)), func(a, b Form) int {
			return c.lists[a].used.Compare(c.lists[b].used)
		}))
		c.count()
	}
	if c.timer == nil {
		c.timer = time.AfterFunc(encodedExpiry, c.expire)
	}
}

// expire removes the lists that have not been used for some time.
func (c *Cache) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.lists, func(_ Form, k *Encoded) bool { return time.Since(k.used) >= encodedExpiry })
	c.count()
	c.timer = nil
	if len(c.lists) > 0 {
		c.timer = time.AfterFunc(encodedExpiry/2, c.expire)
	}
}

// Clear removes all lists.
func (c *Cache) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.lists)
	c.count()
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
}

// count counts the bytes of the lists.
func (c *Cache) count() {
	size := int64(0)
	for id, k := range c.lists {
		size += int64(k.size() + len(id.Fields))
	}
	c.Total.Add(size - c.size)
	c.size = size
}

// size returns the bytes that only this list holds.
func (k *Encoded) size() int {
	const pointer, number, fixed = 8, 8, 4 << 10 // fixed: the appender, with up to 255 popular values, and keys
	return cap(k.plain) + pointer*cap(k.Servers) + number*cap(k.ends) + fixed + k.outdated
}

// outdatedSince returns the bytes of the servers that are not in a later list. Servers
// rarely change their place.
func (k *Encoded) outdatedSince(latest *Encoded) (size int) {
	for i, l := range k.Servers {
		if i >= len(latest.Servers) || latest.Servers[i] != l {
			size += l.size()
		}
	}
	return size
}

// encode encodes the servers. For servers that have not changed, it copies the bytes from
// old.
func (k *Encoded) encode(keys []sb2.Key, all bool, old *Encoded) {
	if old != nil && k.made.Sub(old.popular) < newPopular {
		k.Appender, k.popular = old.Appender, old.popular
		k.plain = make([]byte, 0, len(old.plain)+len(old.plain)/16)
	} else {
		k.Appender, k.popular = sb2.NewListAppender(keys, popular(k.Servers, keys, all)), k.made
		old = nil
	}
	k.ends = make([]int, len(k.Servers))
	fields := make([]sb2.KeyValue, len(keys))
	for i, l := range k.Servers {
		if old != nil && i < len(old.ends) && old.Servers[i] == l {
			k.plain = append(k.plain, old.Parts(i, i+1)...)
		} else {
			s := l.Server(keys, all, fields)
			// On an error, which no heartbeat can cause, the server is omitted.
			k.plain, _ = k.Appender.AppendServer(k.plain, &s)
		}
		k.ends[i] = len(k.plain)
	}
}

// popular returns the values that shorten the list most.
func popular(servers []*Listing, keys []sb2.Key, all bool) []string {
	counts := make(map[string]int)
	for _, l := range servers {
		if !l.hasFields(all) {
			continue
		}
		for _, key := range keys {
			value, _ := l.Lookup(key.Name)
			counts[value]++
		}
	}
	var values []string
	for value, n := range counts {
		if n > 1 {
			values = append(values, value)
		}
	}
	saved := func(value string) int { return counts[value] * (len(value) + 1) }
	slices.SortFunc(values, func(a, b string) int {
		return cmp.Or(cmp.Compare(saved(b), saved(a)), cmp.Compare(a, b))
	})
	return values[:min(len(values), sb2.MaxPopular)]
}
