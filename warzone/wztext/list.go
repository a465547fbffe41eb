package wztext

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// AllGames is the filter of a [List] that all games pass.
const AllGames = "*"

// A List asks for the games.
//
//	LIST TAB filter LF
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
	l := openLine(r, o)
	m.read(&l)
	r.End()
}

func (m *List) read(l *line) {
	l.command(wordList)
	at := l.r.Offset()
	if m.Filter = l.optional("filter"); m.Filter == "" {
		m.Filter = AllGames
	}
	if l.o.Strict && m.Filter != AllGames {
		l.r.Fail(lobbywire.ErrUnsupported, "filter", at)
	}
	l.end()
}

// AppendBinary appends the wire form to b. It fails if Filter is no column.
func (m List) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Text(wordList)
	if m.Filter == "" {
		m.Filter = AllGames
	}
	appendText(&w, "filter", m.Filter)
	appendEnd(&w, 0)
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m List) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseList] does.
func (m *List) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseList(b)
	return err
}
