package gamespy1

import (
	"iter"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
)

// Pairs yields the keys and values of the answer, as on the wire: of the fields, of Extra,
// and of the players, whose keys end with an underscore and the index. It omits fields that
// are "", nil or port 0, which may stand for missing keys. Flags are 1 or 0, and numbers
// are in their shortest form. If a key occurs twice, the first one counts.
func (m Status) Pairs() iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		fields := m.fields()
		if !pairs.All(statusKeys[:], fields[:], m.Extra, yield) {
			return
		}
		for _, p := range m.Players {
			index := "_" + strconv.Itoa(p.Index)
			for key, value := range p.Pairs() {
				if !yield(key+index, value) {
					return
				}
			}
		}
	}
}

// Pairs yields the keys, without the index, and values of the player, as [Status.Pairs] does.
func (p Player) Pairs() iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		fields := p.fields()
		pairs.All(playerKeys[:], fields[:], p.Extra, yield)
	}
}

// Lookup returns the value of a key, such as "mapname" or "frags_0", and reports whether
// Pairs yields the key. Keys are case-insensitive.
func (m Status) Lookup(key string) (value string, ok bool) { return lookup(m.Pairs(), key) }

// Lookup returns the value of a key, such as "score", and reports whether Pairs yields the
// key. Keys are case-insensitive.
func (p Player) Lookup(key string) (value string, ok bool) { return lookup(p.Pairs(), key) }

func lookup(all iter.Seq2[string, string], key string) (value string, ok bool) {
	for k, value := range all {
		if strings.EqualFold(k, key) {
			return value, true
		}
	}
	return "", false
}
