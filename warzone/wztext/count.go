package wztext

import (
	"math"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Count is the first line of a [GameList], for readers that take the list
// game by game.
//
//	COUNT TAB games LF
type Count struct {
	Games uint32 // how many [Game] lines follow, [MaxGames] at most
}

// ParseCount reads a [Count].
func ParseCount(b []byte) (Count, error) { return Options{}.ParseCount(b) }

// ParseCount reads a [Count].
func (o Options) ParseCount(b []byte) (Count, error) {
	r := wire.NewReader(b)
	var m Count
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Count{}, err
	}
	return m, nil
}

// ExplainCount accounts for every byte of a [Count].
func ExplainCount(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Count", b, func(r *wire.Reader) { new(Count).decode(r, Options{}) })
}

func (m *Count) decode(r *wire.Reader, o Options) {
	l := openLine(r, o)
	m.read(&l)
	r.End()
}

func (m *Count) read(l *line) {
	l.command(wordCount)
	at := l.r.Offset()
	m.Games = l.number("games", 0, math.MaxUint32)
	if uint64(m.Games) > uint64(l.o.maxGames()) {
		l.r.Fail(lobbywire.ErrTooLarge, "games", at)
	}
	l.end()
}

// AppendBinary appends the wire form to b. It fails if there are too many
// games.
func (m Count) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	m.append(&w)
	return w.Finish(proto)
}

func (m Count) append(w *wire.Writer) {
	if m.Games > MaxGames {
		w.Fail(lobbywire.ErrTooLarge, "games")
	}
	w.Text(wordCount)
	appendNumber(w, m.Games)
	appendEnd(w, 0)
}

// MarshalBinary returns the wire form.
func (m Count) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseCount] does.
func (m *Count) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseCount(b)
	return err
}
