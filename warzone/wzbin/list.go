package wzbin

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// AllGames is the filter of a [List] that all games pass.
const AllGames = "*"

// A List asks for the games.
//
//	01 size filter
type List struct {
	// Filter is [AllGames], the only one that the proposal has. It is what a
	// missing or empty filter is read as, and "" is sent as.
	Filter string
}

// ParseList reads a [List].
func ParseList(b []byte) (List, error) { return Options{}.ParseList(b) }

// ParseList reads a [List].
func (o Options) ParseList(b []byte) (List, error) {
	r := wire.NewReader(b)
	var m List
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return List{}, err
	}
	return m, nil
}

// ExplainList accounts for every byte of a [List].
func ExplainList(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "List", b, func(r *wire.Reader) { new(List).decode(r, Options{}) })
}

func (m *List) decode(r *wire.Reader, o Options) {
	m.read(r, o)
	r.End()
}

func (m *List) read(r *wire.Reader, o Options) {
	f := openFrame(r, o, CommandList)
	at := r.Offset()
	if m.Filter = f.optional("filter"); m.Filter == "" {
		m.Filter = AllGames
	}
	if o.Strict && m.Filter != AllGames {
		r.Fail(lobbywire.ErrUnsupported, "filter", at)
	}
	f.end()
}

// AppendBinary appends the wire form to b. It fails if Filter is not text or
// too long.
func (m List) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	at := appendHeader(&w, CommandList)
	if m.Filter == "" {
		m.Filter = AllGames
	}
	appendText(&w, "filter", m.Filter)
	w.SetSize8(at, "size")
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m List) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseList] does.
func (m *List) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseList(b)
	return err
}
