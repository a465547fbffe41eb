package warzonenet

import (
	"hash/maphash"
	"slices"

	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// maxFilter is the number of elements that a filter may have. Every game is
// compared with each of them.
const maxFilter = 8

// limitFilters sets the rate limits of filtered lists, which are made for each
// request. With 16 384 games one takes about 0.1 ms, so a source causes less than
// 0.1 % of the load of a core, and all sources together 5 %.
func limitFilters(l *limit.Limiter) {
	l.PerSource = limit.Rate{PerSecond: 4, Burst: 16}
	l.PerPrefix = limit.Rate{PerSecond: 32, Burst: 128}
	l.Global = limit.Rate{PerSecond: 500, Burst: 500}
}

// The indexes of the keys, beginning with the one that differs most between
// games.
const (
	keyName = iota
	keyMap
	keyPlayers
	keyTech
)

// jsonKeys has the fields of a game that a filter compares: name, map and tech as
// keyed hashes, and the number of players. Most games can be rejected by these,
// without reading the game itself, which is elsewhere in memory.
type jsonKeys [keyTech + 1]uint32

// keysOf returns the keys of a game.
func (l *JSONLobby) keysOf(g *wzjson.Game) jsonKeys {
	hash := func(s string) uint32 { return uint32(maphash.String(l.seed, s)) }
	return jsonKeys{keyName: hash(g.Name), keyMap: hash(g.Map), keyPlayers: uint32(g.MaxPlayers), keyTech: hash(string(g.Tech))}
}

// A jsonFilter is a filter. A game must match at least one of its elements.
type jsonFilter struct {
	elements []jsonElement

	// wanted is a set of the last 6 bits of the first key of each element. Most
	// games are not in these sets, so they are not compared with any element.
	wanted [keyTech + 1]uint64
}

// A jsonElement is an element of a filter. All bits of mask are set for the
// fields that it has.
type jsonElement struct {
	keys, mask jsonKeys
	fields     *wzjson.Fields
}

// newFilter returns a filter, or nil if all games pass. It fails if the filter has
// too many elements.
func (l *JSONLobby) newFilter(elements []wzjson.Fields) (*jsonFilter, error) {
	if len(elements) > maxFilter {
		return nil, errFilter
	}
	var f jsonFilter
	for i := range elements {
		e := l.newElement(&elements[i])
		first := slices.Index(e.mask[:], ^uint32(0))
		switch {
		case len(e.fields.Extra) > 0: // games have no other members
		case first < 0:
			return nil, nil
		default:
			f.elements = append(f.elements, e)
			f.wanted[first] |= bit(e.keys[first])
		}
	}
	return &f, nil
}

func (l *JSONLobby) newElement(m *wzjson.Fields) jsonElement {
	g := m.Apply(wzjson.Game{})
	e := jsonElement{keys: l.keysOf(&g), fields: m}
	for i, has := range [...]bool{keyName: m.Name != nil, keyMap: m.Map != nil, keyPlayers: m.MaxPlayers != nil, keyTech: m.Tech != nil} {
		if has {
			e.mask[i] = ^uint32(0)
		}
	}
	return e
}

// bit returns the bit of a key in wanted of a filter.
func bit(key uint32) uint64 { return 1 << (key % 64) }

// pass reports whether a game matches an element.
func (f *jsonFilter) pass(r *jsonRow) bool {
	k, w := &r.keys, &f.wanted
	if bit(k[keyName])&w[keyName]|bit(k[keyMap])&w[keyMap]|bit(k[keyPlayers])&w[keyPlayers]|bit(k[keyTech])&w[keyTech] == 0 {
		return false
	}
	for i := range f.elements {
		if e := &f.elements[i]; e.match(k) && e.fields.Match(r.game) {
			return true
		}
	}
	return false
}

// match reports whether the keys match the element.
func (e *jsonElement) match(k *jsonKeys) bool {
	return (k[0]^e.keys[0])&e.mask[0]|(k[1]^e.keys[1])&e.mask[1]|
		(k[2]^e.keys[2])&e.mask[2]|(k[3]^e.keys[3])&e.mask[3] == 0
}
