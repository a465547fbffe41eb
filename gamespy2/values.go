package gamespy2

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Values answers a query that lists keys of Info, and nothing else: the values
// without their names. Lists of player or team keys are in no known client.
//
//	offset  size  field
//	0       1     type, 0
//	1       4     id
//	per key:
//	        n     value, ended by 0
type Values struct {
	ID     [4]byte  // that of the request
	Values []string // in the order of the keys in the request
}

// ParseValues reads [Values] that answer a query for n keys.
func ParseValues(b []byte, n int) (Values, error) { return Options{}.ParseValues(b, n) }

// ParseValues reads [Values] that answer a query for n keys.
func (o Options) ParseValues(b []byte, n int) (Values, error) {
	r := wire.NewReader(b)
	var m Values
	m.decode(&r, o, n)
	if err := r.Err(proto); err != nil {
		return Values{}, err
	}
	return m, nil
}

// ExplainValues accounts for every byte of [Values] that answer a query for n
// keys.
func ExplainValues(b []byte, n int) lobbywire.Explanation {
	return wire.Explain(proto, "Values", b, func(r *wire.Reader) { new(Values).decode(r, Options{}, n) })
}

func (m *Values) decode(r *wire.Reader, o Options, n int) {
	decodeType(r, TypeQuery)
	m.ID = decodeID(r)
	m.Values = make([]string, 0, max(0, min(n, r.Len())))
	for i := 0; i < n && !r.Failed(); i++ {
		r.In("values", i)
		m.Values = append(m.Values, r.Text0("value"))
	}
	r.In("", -1)
	if o.Strict {
		r.End()
	}
	r.Skip(r.Len(), "ignored")
}

// AppendBinary appends the wire form to b. It fails if a value has a zero byte.
func (m Values) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Uint8(uint8(TypeQuery))
	w.Bytes(m.ID[:])
	for i, value := range m.Values {
		w.In("values", i)
		w.Text0("value", value)
	}
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m Values) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// Info returns the values with the names of the keys that the query listed.
func (m Values) Info(keys Selector) []KeyValue {
	list := make([]KeyValue, min(keys.Len(), len(m.Values)))
	for i := range list {
		list[i] = KeyValue{keys.ID(i).String(), m.Values[i]}
	}
	return list
}
