package warzonenet

import (
	"fmt"
	"hash/maphash"
	"math"
	"math/bits"

	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// maxFilter is the number of elements that a filter may have. Every game is
// compared with each of them.
const maxFilter = 8

// Errors of filters.
var (
	errFilter = refusal.New("warzonenet: the filter has too many elements",
		fmt.Sprintf("The filter has more than %d elements.", maxFilter))
	errFilterRate = refusal.New("warzonenet: too many lists with a filter",
		"You request too many lists with a filter. Wait a second, or request all games.")
)

// limitFilters sets the rate limits of filtered lists, which are made for each
// request. With 16 384 games one takes about 0.1 ms, so a source causes less than
// 0.1 % of the load of a core, and all sources together 5 %.
func limitFilters(l *limit.Limiter) {
	l.PerSource = limit.Rate{PerSecond: 4, Burst: 16}
	l.PerPrefix = limit.Rate{PerSecond: 32, Burst: 128}
	l.Global = limit.Rate{PerSecond: 500, Burst: 500}
}

// A jsonKey has 16 bits of each field that a filter compares, beginning with the one that
// differs most between games: of keyed hashes of the name and the map, of the number of
// players, and of a keyed hash of the tech. Most games can be rejected by their keys,
// without reading the games themselves, which are elsewhere in memory.
type jsonKey uint64

// keyOf returns the key of a game.
func (l *JSONLobby) keyOf(g *wzjson.Game) jsonKey {
	hash := func(s string) jsonKey { return jsonKey(maphash.String(l.seed, s)) & math.MaxUint16 }
	return hash(g.Name) | hash(g.Map)<<16 | jsonKey(g.MaxPlayers)&math.MaxUint16<<32 | hash(string(g.Tech))<<48
}

// A jsonFilter is a filter. A game must match at least one of its elements.
type jsonFilter struct {
	elements []jsonElement

	// wanted is a set of the last 6 bits of the first field of each element. Most
	// games are not in these sets, so they are not compared with any element.
	wanted [4]uint64
}

// A jsonElement is an element of a filter. The bits of mask are set for the fields that it
// has.
type jsonElement struct {
	key, mask jsonKey
	fields    *wzjson.Fields
}

// newFilter returns a filter, or nil if all games pass. It fails if the filter has
// too many elements.
func (l *JSONLobby) newFilter(elements []wzjson.Fields) (*jsonFilter, error) {
	if len(elements) > maxFilter {
		return nil, errFilter
	}
	var f jsonFilter
	for i := range elements {
		m := &elements[i]
		g := m.Apply(wzjson.Game{})
		e := jsonElement{key: l.keyOf(&g), fields: m}
		for field, has := range []bool{m.Name != nil, m.Map != nil, m.MaxPlayers != nil, m.Tech != nil} {
			if has {
				e.mask |= math.MaxUint16 << (16 * field)
			}
		}
		switch {
		case len(m.Extra) > 0: // games have no other members
		case e.mask == 0:
			return nil, nil
		default:
			first := bits.TrailingZeros64(uint64(e.mask)) / 16
			f.wanted[first] |= 1 << (e.key >> (16 * first) % 64)
			f.elements = append(f.elements, e)
		}
	}
	return &f, nil
}

// pass reports whether a game matches an element.
func (f *jsonFilter) pass(r *jsonRow) bool {
	k, w := r.key, &f.wanted
	if (w[0]>>(k%64)|w[1]>>(k>>16%64)|w[2]>>(k>>32%64)|w[3]>>(k>>48%64))&1 == 0 {
		return false
	}
	for i := range f.elements {
		if e := &f.elements[i]; (k^e.key)&e.mask == 0 && e.fields.Match(r.game) {
			return true
		}
	}
	return false
}
