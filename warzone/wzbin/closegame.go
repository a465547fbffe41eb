package wzbin

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A CloseGame takes the sender's game off the list. The answer is [Done] or
// [Error].
//
//	04 size port [winner]
type CloseGame struct {
	Port   uint16 // as in OpenGame
	Winner string // who won; "" is not sent, and an empty payload is read as ""
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
	m.read(r, o)
	r.End()
}

func (m *CloseGame) read(r *wire.Reader, o Options) {
	f := openFrame(r, o, CommandCloseGame)
	m.Port = f.port()
	m.Winner = f.optional("winner")
	f.end()
}

// AppendBinary appends the wire form to b. It fails if Port is 0, or Winner is not
// text or too long.
func (m CloseGame) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	at := appendHeader(&w, CommandCloseGame)
	appendPort(&w, m.Port)
	if m.Winner != "" {
		appendText(&w, "winner", m.Winner)
	}
	w.SetSize8(at, "size")
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m CloseGame) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseCloseGame] does.
func (m *CloseGame) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseCloseGame(b)
	return err
}
