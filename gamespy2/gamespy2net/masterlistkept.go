package gamespy2net

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// A keptGame caches the encoded lists of a game.
type keptGame struct {
	mu       sync.Mutex
	rows     *keptRows // the last ones
	lists    map[keptKey]*keptList
	changes  []change   // reused
	listings []*listing // reused
}

// A keptKey identifies an encoded list of a game.
type keptKey struct {
	fields string // names, with a backslash before each
	all    bool   // fields of all servers, not only of those that negotiate through NAT
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

// Limits of a keptGame.
const (
	// maxKept and maxKeptSize bound the number of lists and their total size in bytes.
	// A new list replaces those that have not been used for the longest time.
	maxKept     = 16
	maxKeptSize = 16 << 20

	// stale is how long a list may be sent after servers have changed, as a
	// multiple of the time it takes to encode. So encoding takes at most a
	// twentieth of the time.
	stale = 20

	// newPopular is the time after which the popular values of a list are
	// chosen again.
	newPopular = time.Minute
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
func (m *Master) keptList(g *gameTable, keys []sb2.Key, all bool) *keptList {
	var fields strings.Builder
	for _, key := range keys {
		fields.WriteString(`\` + key.Name)
	}
	id := keptKey{fields.String(), all}
	m.lists.mu.Lock()
	kept := m.lists.games[g]
	if kept == nil {
		kept = &keptGame{lists: make(map[keptKey]*keptList)}
		m.lists.games[g] = kept
	}
	m.lists.mu.Unlock()

	kept.mu.Lock()
	defer kept.mu.Unlock()
	start := time.Now()
	rows := m.rowsOf(kept, g, start)
	old := kept.lists[id]
	if old != nil && old.rows == rows {
		old.used = start
		return old
	}
	k := rows.encode(keys, all, old, start)
	rows.took += time.Since(start)
	kept.lists[id] = k
	for len(kept.lists) > 1 && (len(kept.lists) > maxKept || kept.size() > maxKeptSize) {
		kept.forget()
	}
	return k
}

// size returns the bytes of all lists.
func (kept *keptGame) size() (n int) {
	for _, k := range kept.lists {
		n += cap(k.plain)
	}
	return n
}

// forget removes the list that has not been used for the longest time.
func (kept *keptGame) forget() {
	var oldest keptKey
	var used time.Time
	for id, k := range kept.lists {
		if used.IsZero() || k.used.Before(used) {
			oldest, used = id, k.used
		}
	}
	delete(kept.lists, oldest)
}

// keptRows is a snapshot of the servers of a game. It is immutable.
type keptRows struct {
	position uint64 // in the changes of the game
	all      []row

	made time.Time
	took time.Duration // to make them and to encode lists of them; kept.mu guards it
}

// A row is a server with the keys that the master adds.
type row struct {
	*listing
	country, region string
}

// Keys that the master adds.
const (
	countryKey = "country"
	regionKey  = "region"
)

func (r *row) lookup(key string) (value string, ok bool) {
	switch {
	case key == countryKey && r.country != "":
		return r.country, true
	case key == regionKey && r.region != "":
		return r.region, true
	}
	return r.listing.lookup(key)
}

// rowOf returns the row of a server.
func (m *Master) rowOf(l *listing) row {
	r := row{listing: l}
	if m.Locate != nil {
		r.country, r.region = m.Locate(l.addr.Addr())
	}
	return r
}

// rowsOf returns a current or recent snapshot of the servers of a game.
func (m *Master) rowsOf(kept *keptGame, g *gameTable, now time.Time) *keptRows {
	old := kept.rows
	if old != nil {
		if now.Sub(old.made) < stale*old.took {
			return old
		}
		var ok bool
		if kept.changes, _, ok = m.changesSince(g, old.position, kept.changes[:0]); ok && len(kept.changes) == 0 {
			return old
		}
	}
	rows := &keptRows{made: now}
	kept.listings, rows.position = m.snapshot(g, kept.listings[:0])
	rows.all = make([]row, len(kept.listings))
	for i, l := range kept.listings {
		if old != nil && i < len(old.all) && old.all[i].addr == l.addr {
			rows.all[i] = old.all[i]
			rows.all[i].listing = l
		} else {
			rows.all[i] = m.rowOf(l)
		}
	}
	clear(kept.listings)
	kept.rows = rows
	return rows
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
	for i := range rows.all {
		r := &rows.all[i]
		if old != nil && i < len(old.ends) && old.rows.all[i] == *r {
			k.plain = append(k.plain, old.parts(i, i+1)...)
		} else {
			s := r.server(keys, all, fields)
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

// hasFields reports whether a list has the fields of the server. Clients can query the
// other servers themselves, but may not reach one that uses NAT negotiation.
func (r *row) hasFields(all bool) bool { return all || r.natneg }

// server returns the server in the form of a list. It uses the memory of fields.
func (r *row) server(keys []sb2.Key, all bool, fields []sb2.KeyValue) sb2.Server {
	s := sb2.Server{Flags: sb2.FlagUnsolicitedUDP, IP: r.addr.Addr()}
	if r.natneg {
		s.Flags |= sb2.FlagNATNegotiation
	}
	if r.addr.Port() != defaultPort {
		s.Flags |= sb2.FlagPort
		s.Port = r.addr.Port()
	}
	if r.private != (netip.AddrPort{}) {
		s.Flags |= sb2.FlagPrivateIP
		s.PrivateIP = r.private.Addr()
		if r.private.Port() != defaultPort {
			s.Flags |= sb2.FlagPrivatePort
			s.PrivatePort = r.private.Port()
		}
	}
	if len(keys) > 0 && r.hasFields(all) {
		s.Flags |= sb2.FlagFields
		for i, key := range keys {
			value, _ := r.lookup(key.Name)
			fields[i] = sb2.KeyValue{Key: key.Name, Value: value}
		}
		s.Fields = fields
	}
	return s
}

// rules returns the server with all its keys. Keys of players and teams end in their
// numbers, such as player_0.
func (r *row) rules() sb2.Server {
	s := r.server(nil, false, nil)
	s.Flags |= sb2.FlagRules
	s.Rules = slices.Clone(r.info)
	for _, kv := range []sb2.KeyValue{{Key: countryKey, Value: r.country}, {Key: regionKey, Value: r.region}} {
		if kv.Value != "" {
			s.Rules = append(s.Rules, kv)
		}
	}
	heartbeat := r.listing.rules()
	for _, t := range []*gamespy2.Table{heartbeat.Players, heartbeat.Teams} {
		if t != nil {
			s.Rules = appendTable(s.Rules, t)
		}
	}
	return s
}

// popular returns the values that shorten the list most.
func (rows *keptRows) popular(keys []sb2.Key, all bool) []string {
	counts := make(map[string]int)
	for i := range rows.all {
		r := &rows.all[i]
		if !r.hasFields(all) {
			continue
		}
		for _, key := range keys {
			value, _ := r.lookup(key.Name)
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
