package wzbin

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A GameList answers [List]: a [Count], and as many frames that are each a
// [Game]. Nothing ends it, [Done] in particular does not.
//
//	05 size games
//	[06 size ip port name map maxPlayers status]...
type GameList struct {
	Games []Game // not nil after parsing; MaxGames at most
}

// ParseGameList reads a [GameList].
func ParseGameList(b []byte) (GameList, error) { return Options{}.ParseGameList(b) }

// ParseGameList reads a [GameList].
func (o Options) ParseGameList(b []byte) (GameList, error) {
	r := wire.NewReader(b)
	var m GameList
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return GameList{}, err
	}
	return m, nil
}

// ExplainGameList accounts for every byte of a [GameList].
func ExplainGameList(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "GameList", b, func(r *wire.Reader) { new(GameList).decode(r, Options{}) })
}

func (m *GameList) decode(r *wire.Reader, o Options) {
	m.read(r, o)
	r.End()
}

func (m *GameList) read(r *wire.Reader, o Options) {
	var count Count
	count.read(r, o)
	if r.Failed() {
		return
	}
	// What is left bounds what is allocated.
	m.Games = make([]Game, 0, min(int(count.Games), r.Len()/minGame))
	for i := 0; i < int(count.Games) && !r.Failed(); i++ {
		r.In("games", i)
		m.Games = append(m.Games, Game{})
		m.Games[i].read(r, o)
	}
	r.In("", -1)
}

// AppendBinary appends the wire form to b. It fails if there are too many
// games or one of them cannot be sent.
func (m GameList) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	Count{Games: uint32(min(len(m.Games), MaxGames+1))}.append(&w)
	for i := range m.Games {
		w.In("games", i)
		m.Games[i].append(&w)
	}
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m GameList) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseGameList] does.
func (m *GameList) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseGameList(b)
	return err
}
