package gamespy2net

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
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

// encodedList returns the list of a game with the fields in keys, current or recent.
func (m *Master) encodedList(g *gameTable, id encodedKey, keys []sb2.Key) *encodedList {
	cache := &g.encoded
	cache.mu.Lock()
	defer cache.mu.Unlock()
	k := &encodedList{made: time.Now()}
	k.used = k.made
	since, old := uint64(0), cache.lists[id]
	if old != nil {
		old.used = k.made
		if k.made.Sub(old.made) < stale*cache.took() {
			return old
		}
		since = old.position
	}
	k.servers, k.position = m.snapshot(g, since)
	if old != nil && k.position == since {
		return old
	}
	k.encode(keys, id.all, old)
	k.took = time.Since(k.made)
	if cache.lists == nil {
		cache.lists = make(map[encodedKey]*encodedList)
	}
	cache.lists[id] = k
	for len(cache.lists) > 1 && (len(cache.lists) > maxEncoded || cache.size() > maxEncodedSize) {
		cache.forget()
	}
	return k
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

// defaultPort is the query port of servers for which a list has none. It is the
// default port of the GameSpy SDK.
const defaultPort = 6500

// hasFields reports whether a list has the fields of the server: clients may not be able
// to query one that uses NAT negotiation or needs a challenge.
func (l *listing) hasFields(all bool) bool { return all || l.natneg || l.needsChallenge }

// server returns the server as in a list. It uses the memory of fields.
func (l *listing) server(keys []sb2.Key, all bool, fields []sb2.KeyValue) sb2.Server {
	s := sb2.Server{Flags: sb2.FlagUnsolicitedUDP, IP: l.addr.Addr()}
	if l.natneg {
		s.Flags |= sb2.FlagNATNegotiation
	}
	if l.addr.Port() != defaultPort {
		s.Flags |= sb2.FlagPort
		s.Port = l.addr.Port()
	}
	if l.private.IsValid() {
		s.Flags |= sb2.FlagPrivateIP
		s.PrivateIP = l.private.Addr()
		if l.private.Port() != defaultPort {
			s.Flags |= sb2.FlagPrivatePort
			s.PrivatePort = l.private.Port()
		}
	}
	if len(keys) > 0 && l.hasFields(all) {
		s.Flags |= sb2.FlagFields
		for i, key := range keys {
			value, _ := l.lookup(key.Name)
			fields[i] = sb2.KeyValue{Key: key.Name, Value: value}
		}
		s.Fields = fields
	}
	return s
}

// rules returns the server with all its keys. Keys of players and teams end in their
// numbers, such as player_0. They are parsed for each call, because few clients request
// them and they would need most of the memory.
func (l *listing) rules() sb2.Server {
	s := l.server(nil, false, nil)
	s.Flags |= sb2.FlagRules
	s.Rules = slices.Clone(l.info)
	for _, kv := range []sb2.KeyValue{{Key: countryKey, Value: l.country}, {Key: regionKey, Value: l.region}} {
		if kv.Value != "" {
			s.Rules = append(s.Rules, kv)
		}
	}
	heartbeat, _ := qr2.ParseHeartbeat([]byte(l.heartbeat)) // cannot fail: it has been parsed before
	for _, t := range []*gamespy2.Table{heartbeat.Players, heartbeat.Teams} {
		if t == nil {
			continue
		}
		for i, values := range t.Rows {
			for column, value := range values {
				s.Rules = append(s.Rules, sb2.KeyValue{Key: t.Columns[column] + strconv.Itoa(i), Value: value})
			}
		}
	}
	return s
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
