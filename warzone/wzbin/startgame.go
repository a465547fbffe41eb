package wzbin

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A StartGame says that the sender's game has begun: its status is
// [StatusStarted] from now on. The answer is [Done] or [Error].
//
//	03 size port
type StartGame struct {
	Port uint16 // as in OpenGame
}

// ParseStartGame reads a [StartGame].
func ParseStartGame(b []byte) (StartGame, error) { return Options{}.ParseStartGame(b) }

// ParseStartGame reads a [StartGame].
func (o Options) ParseStartGame(b []byte) (StartGame, error) {
	r := wire.NewReader(b)
	var m StartGame
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return StartGame{}, err
	}
	return m, nil
}

// ExplainStartGame accounts for every byte of a [StartGame].
func ExplainStartGame(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "StartGame", b, func(r *wire.Reader) { new(StartGame).decode(r, Options{}) })
}

func (m *StartGame) decode(r *wire.Reader, o Options) {
	m.read(r, o)
	r.End()
}

func (m *StartGame) read(r *wire.Reader, o Options) {
	f := openFrame(r, o, CommandStartGame)
	m.Port = f.port()
	f.end()
}

// AppendBinary appends the wire form to b. It fails if Port is 0.
func (m StartGame) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	at := appendHeader(&w, CommandStartGame)
	appendPort(&w, m.Port)
	w.SetSize8(at, "size")
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m StartGame) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseStartGame] does.
func (m *StartGame) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseStartGame(b)
	return err
}
