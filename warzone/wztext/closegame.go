package wztext

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A CloseGame takes the sender's game off the list. The answer is [Done] or
// [Error].
//
//	CLOSEGAME TAB port [TAB winner] LF
type CloseGame struct {
	Port   uint16 // as in OpenGame
	Winner string // who won; "" is not sent, and an empty column is read as ""
}

// ParseCloseGame reads a [CloseGame].
func ParseCloseGame(b []byte) (CloseGame, error) { return Options{}.ParseCloseGame(b) }

// ParseCloseGame reads a [CloseGame].
func (o Options) ParseCloseGame(b []byte) (CloseGame, error) {
	r := wire.NewReader(b)
	var m CloseGame
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return CloseGame{}, err
	}
	return m, nil
}

// ExplainCloseGame accounts for every byte of a [CloseGame].
func ExplainCloseGame(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "CloseGame", b, func(r *wire.Reader) { new(CloseGame).decode(r, Options{}) })
}

func (m *CloseGame) decode(r *wire.Reader, o Options) {
	l := openLine(r, o)
	m.read(&l)
	r.End()
}

func (m *CloseGame) read(l *line) {
	l.command(wordCloseGame)
	m.Port = l.port()
	m.Winner = l.optional("winner")
	l.end()
}

// AppendBinary appends the wire form to b. It fails if Port is 0, Winner is no
// column, or the line is too long.
func (m CloseGame) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Text(wordCloseGame)
	appendPort(&w, m.Port)
	if m.Winner != "" {
		appendText(&w, "winner", m.Winner)
	}
	appendEnd(&w, 0)
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m CloseGame) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseCloseGame] does.
func (m *CloseGame) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseCloseGame(b)
	return err
}
