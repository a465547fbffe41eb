package gamespy2

import "github.com/lobbywire/lobbywire/internal/wire"

// Values answers a query that lists keys of Info and selects nothing else. It contains the
// values of the keys without their names. No known client lists keys of players or teams.
//
//wire:message type=TypeQuery
type Values struct {
	ID     [4]byte  `wire:"id"` // of the request
	Values []string // in the order of the keys in the request
}

// decode expects the answer to a query that lists n keys.
func (m *Values) decode(r *wire.Reader, o Options, n int) {
	r.DecodeTexts(o.Text)
	m.decodeHeader(r)
	m.Values = make([]string, 0, max(0, min(n, r.Len())))
	for i := 0; i < n && !r.Failed(); i++ {
		r.In("values", i)
		m.Values = append(m.Values, r.Text0("value"))
	}
	r.In("", -1)
	decodeEnd(r, o)
}

// append fails if a value contains a zero byte.
func (m *Values) append(w *wire.Writer) {
	m.appendHeader(w)
	for i, value := range m.Values {
		w.In("values", i)
		w.Text0("value", value)
	}
}

// Info returns the values with the names of the keys that the query listed.
func (m Values) Info(keys Selector) []KeyValue {
	list := make([]KeyValue, min(keys.Len(), len(m.Values)))
	for i := range list {
		list[i] = KeyValue{keys.ID(i).String(), m.Values[i]}
	}
	return list
}

// Values returns the answer to a query that lists keys: their values in Info, or "" for
// keys that Info lacks.
func (m Response) Values(keys Selector) Values {
	v := Values{ID: m.ID, Values: make([]string, keys.Len())}
	for i := range v.Values {
		v.Values[i] = m.value(keys.ID(i).String())
	}
	return v
}
