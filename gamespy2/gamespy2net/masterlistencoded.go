package gamespy2net

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// An encodedLists caches the encoded lists of a game.
type encodedLists struct {
	mu    sync.Mutex
	lists map[encodedKey]*encodedList
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
}

// Limits of an encodedLists. A new list replaces lists that have not been used for the longest
// time.
const (
	maxEncoded     = 16          // lists
	maxEncodedSize = 16 << 20    // bytes of all lists
	stale          = 20          // a list may be sent for this multiple of the time to make all lists
	newPopular     = time.Minute // the popular values of a list are chosen again after this
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

// size returns the bytes of all lists.
func (e *encodedLists) size() (n int) {
	for _, k := range e.lists {
		n += cap(k.plain)
	}
	return n
}

// forget removes the list that has not been used for the longest time.
func (e *encodedLists) forget() {
	delete(e.lists, slices.MinFunc(slices.Collect(maps.Keys(e.lists)), func(a, b encodedKey) int {
		return e.lists[a].used.Compare(e.lists[b].used)
	}))
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
