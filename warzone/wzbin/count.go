package wzbin

import (
	"math"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Count is the first frame of a [GameList], for readers that take the list
// game by game.
//
//	05 size games
type Count struct {
	Games uint32 // how many [Game] frames follow, [MaxGames] at most
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
	m.read(r, o)
	r.End()
}

func (m *Count) read(r *wire.Reader, o Options) {
	f := openFrame(r, o, CommandCount)
	at := r.Offset()
	m.Games = f.number("games", 0, math.MaxUint32)
	if uint64(m.Games) > uint64(o.maxGames()) {
		r.Fail(lobbywire.ErrTooLarge, "games", at)
	}
	f.end()
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
	at := appendHeader(w, CommandCount)
	appendNumber(w, m.Games)
	w.SetSize8(at, "size")
}

// MarshalBinary returns the wire form.
func (m Count) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseCount] does.
func (m *Count) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseCount(b)
	return err
}
