package wzbin

import (
	"math"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// An OpenGame lists a game, with the address that it comes from and
// [StatusOpen]. The answer is [Done] or [Error].
//
//	02 size port name map maxPlayers
type OpenGame struct {
	Port       uint16 // TCP, not 0; with the sender's address it identifies the game
	Name       string // may be empty
	Map        string // may be empty
	MaxPlayers uint32
}

// ParseOpenGame reads an [OpenGame].
func ParseOpenGame(b []byte) (OpenGame, error) { return Options{}.ParseOpenGame(b) }

// ParseOpenGame reads an [OpenGame].
func (o Options) ParseOpenGame(b []byte) (OpenGame, error) {
	r := wire.NewReader(b)
	var m OpenGame
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return OpenGame{}, err
	}
	return m, nil
}

// ExplainOpenGame accounts for every byte of an [OpenGame].
func ExplainOpenGame(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "OpenGame", b, func(r *wire.Reader) { new(OpenGame).decode(r, Options{}) })
}

func (m *OpenGame) decode(r *wire.Reader, o Options) {
	m.read(r, o)
	r.End()
}

func (m *OpenGame) read(r *wire.Reader, o Options) {
	f := openFrame(r, o, CommandOpenGame)
	m.Port = f.port()
	m.Name = f.text("name")
	m.Map = f.text("map")
	m.MaxPlayers = f.number("maxPlayers", 0, math.MaxUint32)
	f.end()
}

// AppendBinary appends the wire form to b. It fails if Port is 0, Name or Map
// is not text, or they are too long.
func (m OpenGame) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	at := appendHeader(&w, CommandOpenGame)
	appendPort(&w, m.Port)
	appendText(&w, "name", m.Name)
	appendText(&w, "map", m.Map)
	appendNumber(&w, m.MaxPlayers)
	w.SetSize8(at, "size")
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m OpenGame) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseOpenGame] does.
func (m *OpenGame) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseOpenGame(b)
	return err
}
