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

// A keptLists caches the encoded lists of a game.
type keptLists struct {
	mu    sync.Mutex
	rows  *keptRows // the last ones
	lists map[keptKey]*keptList
}

// A keptKey identifies an encoded list of a game.
type keptKey struct {
	fields sb2.FieldList
	all    bool // fields of all servers, not only of those that negotiate through NAT
}

// A keptList is a list as it is sent, before encryption. It is immutable.
type keptList struct {
	rows     *keptRows
	appender *sb2.ListAppender
	made     time.Time // of the appender
	plain    []byte
	ends     []int // of the servers in plain
	used     time.Time
}

// keptRows is a snapshot of the servers of a game. It is immutable.
type keptRows struct {
	position uint64 // in the changes of the game
	all      []*listing

	made time.Time
	took time.Duration // to make them and to encode lists of them; the lock of keptLists guards it
}

// Limits of a keptLists. A new list replaces those that have not been used for the longest
// time.
const (
	maxKept     = 16          // lists
	maxKeptSize = 16 << 20    // bytes of all lists
	stale       = 20          // a list may be sent for this multiple of the time to encode it
	newPopular  = time.Minute // the popular values of a list are chosen again after this
)

// parts returns the servers from first to end.
func (k *keptList) parts(first, end int) []byte {
	if end == 0 {
		return nil
	}
	start := 0
	if first > 0 {
		start = k.ends[first-1]
	}
	return k.plain[start:k.ends[end-1]]
}

// keptList returns the list of a game with the fields in keys.
func (m *Master) keptList(g *gameTable, id keptKey, keys []sb2.Key) *keptList {
	kept := &g.kept
	kept.mu.Lock()
	defer kept.mu.Unlock()
	start := time.Now()
	rows := m.rowsOf(g, start)
	old := kept.lists[id]
	if old != nil && old.rows == rows {
		old.used = start
		return old
	}
	k := rows.encode(keys, id.all, old, start)
	rows.took += time.Since(start)
	if kept.lists == nil {
		kept.lists = make(map[keptKey]*keptList)
	}
	kept.lists[id] = k
	for len(kept.lists) > 1 && (len(kept.lists) > maxKept || kept.size() > maxKeptSize) {
		kept.forget()
	}
	return k
}

// size returns the bytes of all lists.
func (kept *keptLists) size() (n int) {
	for _, k := range kept.lists {
		n += cap(k.plain)
	}
	return n
}

// forget removes the list that has not been used for the longest time.
func (kept *keptLists) forget() {
	delete(kept.lists, slices.MinFunc(slices.Collect(maps.Keys(kept.lists)), func(a, b keptKey) int {
		return kept.lists[a].used.Compare(kept.lists[b].used)
	}))
}

// rowsOf returns a current or recent snapshot of the servers of a game.
func (m *Master) rowsOf(g *gameTable, now time.Time) *keptRows {
	old := g.kept.rows
	if old == nil {
		old = new(keptRows)
	} else if now.Sub(old.made) < stale*old.took {
		return old
	}
	all, position := m.snapshot(g, old.position)
	if position > old.position || g.kept.rows == nil {
		g.kept.rows = &keptRows{position: position, all: all, made: now}
	}
	return g.kept.rows
}

// encode encodes the list of the servers. For servers that have not changed, it
// copies the bytes from old.
func (rows *keptRows) encode(keys []sb2.Key, all bool, old *keptList, now time.Time) *keptList {
	k := &keptList{rows: rows, made: now, used: now, ends: make([]int, len(rows.all))}
	if old != nil && now.Sub(old.made) < newPopular {
		k.appender, k.made = old.appender, old.made
		k.plain = make([]byte, 0, len(old.plain)+len(old.plain)/16)
	} else {
		k.appender = sb2.NewListAppender(keys, rows.popular(keys, all))
		old = nil
	}
	fields := make([]sb2.KeyValue, len(keys))
	for i, l := range rows.all {
		if old != nil && i < len(old.ends) && old.rows.all[i] == l {
			k.plain = append(k.plain, old.parts(i, i+1)...)
		} else {
			s := l.server(keys, all, fields)
			// On an error, which no heartbeat can cause, the server is omitted.
			k.plain, _ = k.appender.AppendServer(k.plain, &s)
		}
		k.ends[i] = len(k.plain)
	}
	return k
}

// defaultPort is the query port of servers for which a list has none. It is the
// default port of the GameSpy SDK.
const defaultPort = 6500

// hasFields reports whether a list has the fields of the server: clients may not be able
// to query one that uses NAT negotiation.
func (l *listing) hasFields(all bool) bool { return all || l.natneg }

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

// popular returns the values that shorten the list most.
func (rows *keptRows) popular(keys []sb2.Key, all bool) []string {
	counts := make(map[string]int)
	for _, l := range rows.all {
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
