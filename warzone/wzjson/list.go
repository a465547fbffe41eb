package wzjson

import "encoding/json"

// A List requests the games of a lobby. The lobby answers with a [ListAck] or an
// [Error].
//
//wire:message Message command=list
type List struct {
	Filter []Fields                   `wire:"filter,omitzero"` // see Match; nil if there is none
	Extra  map[string]json.RawMessage // unknown members of the query
	Envelope
}

// Match reports whether the list should include g: if an element of the filter
// matches, or if there are no elements.
func (m List) Match(g Game) bool {
	for _, f := range m.Filter {
		if f.match(g) {
			return true
		}
	}
	return len(m.Filter) == 0
}
