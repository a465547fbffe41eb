package gamespy2net

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// An encodedLists caches the encoded lists of a game.
type encodedLists struct {
	mu    sync.Mutex
	lists map[encodedKey]*encodedList
	total *atomic.Int64 // bytes of the lists of all games
	size  int64         // of these lists, in total
	timer *time.Timer   // for expire; nil without lists
}

// An encodedKey identifies an encoded list of a game.
type encodedKey struct {
	fields sb2.FieldList
	all    bool // fields of all servers, not only of those that negotiate through NAT
}

// An encodedList is a list as it is sent, before encryption. Only used changes.
type encodedList struct {
	servers  []*listing
	position uint64 // of the servers in the changes of the game
	appender *sb2.ListAppender
	popular  time.Time // when the appender was made
	plain    []byte
	ends     []int // of the servers in plain
	made     time.Time
	took     time.Duration // to make it
	used     time.Time
	outdated int // bytes of the servers that have changed since
}

// Limits of an encodedLists. A new list replaces lists that have not been used for the longest
// time.
const (
	maxEncoded     = 16               // lists
	maxEncodedSize = 16 << 20         // bytes of all lists of a Master, beside one of each game
	encodedExpiry  = 20 * time.Second // after which a list that is not used is removed
	stale          = 20               // a list may be sent for this multiple of the time to make all lists
	newPopular     = time.Minute      // the popular values of a list are chosen again after this
)

// parts returns the servers from first to end.
func (k *encodedList) parts(first, end int) []byte {
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
func (e *encodedLists) took() (d time.Duration) {
	for _, k := range e.lists {
		d += k.took
	}
	return d
}

// keep adds the latest list, and removes others that have no room beside it. The caller
// holds e.mu.
func (e *encodedLists) keep(id encodedKey, k *encodedList) {
	if e.lists == nil {
		e.lists = make(map[encodedKey]*encodedList)
	}
	e.lists[id] = k
	for _, old := range e.lists {
		old.outdated = old.outdatedSince(k)
	}
	e.count()
	for len(e.lists) > 1 && (len(e.lists) > maxEncoded || e.total.Load() > maxEncodedSize) {
		delete(e.lists, slices.MinFunc(slices.Collect(maps.Keys(e.lists)), func(a, b encodedKey) int {
			return e.lists[a].used.Compare(e.lists[b].used)
		}))
		e.count()
	}
	if e.timer == nil {
		e.timer = time.AfterFunc(encodedExpiry, e.expire)
	}
}

// expire removes the lists that have not been used for some time.
func (e *encodedLists) expire() {
	e.mu.Lock()
	defer e.mu.Unlock()
	maps.DeleteFunc(e.lists, func(_ encodedKey, k *encodedList) bool { return time.Since(k.used) >= encodedExpiry })
	e.count()
	e.timer = nil
	if len(e.lists) > 0 {
		e.timer = time.AfterFunc(encodedExpiry/2, e.expire)
	}
}

// clear removes all lists.
func (e *encodedLists) clear() {
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.lists)
	e.count()
	if e.timer != nil {
		e.timer.Stop()
		e.timer = nil
	}
}

// count counts the bytes of the lists.
func (e *encodedLists) count() {
	size := int64(0)
	for id, k := range e.lists {
		size += int64(k.size() + len(id.fields))
	}
	e.total.Add(size - e.size)
	e.size = size
}

// size returns the bytes that only this list holds.
func (k *encodedList) size() int {
	const pointer, number, fixed = 8, 8, 4 << 10 // fixed: the appender, with up to 255 popular values, and keys
	return cap(k.plain) + pointer*cap(k.servers) + number*cap(k.ends) + fixed + k.outdated
}

// outdatedSince returns the bytes of the servers that are not in a later list. Servers
// rarely change their place.
func (k *encodedList) outdatedSince(latest *encodedList) (size int) {
	for i, l := range k.servers {
		if i >= len(latest.servers) || latest.servers[i] != l {
			size += l.size()
		}
	}
	return size
}

// encode encodes the servers. For servers that have not changed, it copies the bytes from
// old.
func (k *encodedList) encode(keys []sb2.Key, all bool, old *encodedList) {
	if old != nil && k.made.Sub(old.popular) < newPopular {
		k.appender, k.popular = old.appender, old.popular
		k.plain = make([]byte, 0, len(old.plain)+len(old.plain)/16)
	} else {
		k.appender, k.popular = sb2.NewListAppender(keys, popular(k.servers, keys, all)), k.made
		old = nil
	}
	k.ends = make([]int, len(k.servers))
	fields := make([]sb2.KeyValue, len(keys))
	for i, l := range k.servers {
		if old != nil && i < len(old.ends) && old.servers[i] == l {
			k.plain = append(k.plain, old.parts(i, i+1)...)
		} else {
			s := l.server(keys, all, fields)
			// On an error, which no heartbeat can cause, the server is omitted.
			k.plain, _ = k.appender.AppendServer(k.plain, &s)
		}
		k.ends[i] = len(k.plain)
	}
}

// popular returns the values that shorten the list of the servers most.
func popular(servers []*listing, keys []sb2.Key, all bool) []string {
	counts := make(map[string]int)
	for _, l := range servers {
		if !l.hasFields(all) {
			continue
		}
		for _, key := range keys {
			value, _ := l.lookup(key.Name)
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
