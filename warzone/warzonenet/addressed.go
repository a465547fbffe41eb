package warzonenet

import (
	"cmp"
	"log/slog"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wztext"
)

// life is how long a game stays listed that was opened through the text or the
// binary proposal, in which nothing but another request about it tells that its
// host is still there.
const life = 10 * time.Minute

// addressed is what a TextLobby and a BinaryLobby have in common: a conversation
// about games that are known by their address, as in package wztext.
type addressed struct {
	dialect
	proposal[wztext.Request]
	view view[[]byte]
	life time.Duration
}

// A dialect is that conversation in the form of one of the two.
type dialect struct {
	proto    string // names it in errors
	source   Source
	maxFrame int // that clients send
	request  func(b []byte) (m wztext.Request, rest []byte, err error)

	// The messages that are sent.
	count   func(m wztext.Count) []byte
	game    func(m wztext.Game) ([]byte, error)
	done    []byte
	failure func(m wztext.Error) []byte
}

func (a *addressed) init(g *Games, life time.Duration, limits lobbywire.ConnLimits, logger *slog.Logger) {
	a.proposal = proposal[wztext.Request]{
		games:  g,
		next:   a.request,
		answer: a.respond,
		refuse: func(text string) []byte { return a.failure(wztext.Error{Text: text}) },
		closed: a.view.close,
	}
	a.proposal.init(limits, a.maxFrame, logger)
	a.view = view[[]byte]{games: a.games, row: a.row, join: a.list}
	a.life = life
}

// respond carries out a request. All games pass the only filter there is.
func (a *addressed) respond(from netip.Addr, m wztext.Request) ([]byte, error) {
	var err error
	switch m := m.(type) {
	case wztext.List:
		a.stats.lists.Add(1)
		return a.view.encoded(), nil
	case wztext.OpenGame:
		err = a.openGame(from, m)
	case wztext.StartGame:
		err = a.startGame(from, m.Port)
	case wztext.CloseGame:
		err = a.closeGame(from, m.Port)
	default:
		err = unknownCommand(a.proto)
	}
	return a.done, err
}

// list returns a list of games.
func (a *addressed) list(rows [][]byte) []byte {
	rows = rows[:min(len(rows), cmp.Or(a.games.MaxListed, wztext.MaxGames), wztext.MaxGames)]
	count := a.count(wztext.Count{Games: uint32(len(rows))})
	return slices.Concat(append([][]byte{count}, rows...)...)
}

// row returns what a list has of a game.
func (a *addressed) row(e *Entry) ([]byte, bool) {
	g := wztext.Game{
		IP:         e.Key.Addr(),
		Port:       e.Key.Port(),
		Name:       shown(e.Game.Name, maxShownName),
		Map:        shown(e.Game.MapName, maxShownMap),
		MaxPlayers: e.Game.MaxPlayers,
		Status:     wztext.StatusOpen,
	}
	if e.Started {
		g.Status = wztext.StatusStarted
	}
	b, err := a.game(g)
	return b, err == nil
}

// openGame lists the game of a host, or changes it.
func (a *addressed) openGame(from netip.Addr, m wztext.OpenGame) error {
	if m.Name == "" {
		return errNoName
	}
	set := func(e *Entry) {
		e.Game.Name = shown(m.Name, maxShownName)
		e.Game.MapName = shown(m.Map, maxShownMap)
		e.Game.MaxPlayers = m.MaxPlayers
		e.Started = false
		e.Expires = a.expires()
	}
	err := a.update(from, m.Port, set)
	if err == ErrGone {
		e := Entry{Key: netip.AddrPortFrom(from, m.Port), Source: a.source}
		set(&e)
		_, err = a.games.Add(e)
	}
	if err == nil {
		a.stats.opened.Add(1)
	}
	return err
}

// startGame says that the game of a host is being played.
func (a *addressed) startGame(from netip.Addr, port uint16) error {
	err := a.update(from, port, func(e *Entry) {
		e.Started = true
		e.Expires = a.expires()
	})
	if err == nil {
		a.stats.updated.Add(1)
	}
	return err
}

// closeGame takes the game of a host from the list.
func (a *addressed) closeGame(from netip.Addr, port uint16) error {
	e, ok := a.find(from, port)
	if !ok || !a.games.Remove(e.ID) {
		return ErrGone
	}
	a.stats.closed.Add(1)
	return nil
}

func (a *addressed) update(from netip.Addr, port uint16, change func(e *Entry)) error {
	e, ok := a.find(from, port)
	if !ok {
		return ErrGone
	}
	_, err := a.games.Update(e.ID, change)
	return err
}

// find returns the game at an address if it was opened through the same
// proposal.
func (a *addressed) find(from netip.Addr, port uint16) (Entry, bool) {
	e, ok := a.games.Find(netip.AddrPortFrom(from, port))
	return e, ok && e.Source == a.source
}

func (a *addressed) expires() time.Time { return time.Now().Add(cmp.Or(a.life, life)) }
