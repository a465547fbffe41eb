package warzonenet

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A ProposalLobby lists games in the text or the binary proposal of package
// wzproposal. Its zero value is ready; fields must not change while it serves.
//
// A game is listed at the address of its host's connection and the port that the host
// names, and only a request from that address can start or close it. The answer to a List
// has all games, whatever its filter: the proposal defines no filter other than *.
type ProposalLobby struct {
	// Encoding is the encoding of all connections.
	Encoding wzproposal.Encoding

	Games *warzonegames.Games // as in a [Lobby]

	// Life is how long a game stays listed after the last OpenGame or StartGame
	// of its host, which must repeat one of these, because there is no keep-alive
	// message. 0 means 10 minutes.
	Life time.Duration

	Limits lobbywire.ConnLimits
	Logger *slog.Logger // nil is silent

	proposalServer[wzproposal.Request, []byte]
}

// maxLine is the longest line that a client may send, in bytes.
const maxLine = 1 << 10

func (l *ProposalLobby) init() {
	maxFrame := maxLine
	if l.Encoding == wzproposal.Binary {
		maxFrame = wzproposal.MaxFrame
	}
	l.server.Init(serving.Settings{
		Games:    l.Games,
		Limits:   l.Limits,
		MaxFrame: maxFrame,
		Logger:   l.Logger,
		Handler: func(_ context.Context, c *stream.Conn) {
			f := wzproposal.Framer{Options: wzproposal.Options{Encoding: l.Encoding, MaxLine: maxLine}}
			l.serveConn(c, f.NextRequest)
		},
	})
	l.life = cmp.Or(max(l.Life, 0), 10*time.Minute)
	l.answer = l.answerRequest
	l.refuse = func(text string) []byte { return l.encoded(wzproposal.Error{Text: text}) }
	l.rows = warzonegames.Rows[[]byte]{Games: l.server.Games, Row: l.row, Join: l.join}
}

// Serve answers clients and hosts that connect to ln until Shutdown or Close. It
// owns ln and closes it. Its error is never nil.
func (l *ProposalLobby) Serve(ln net.Listener) error {
	l.server.Once.Do(l.init)
	return l.server.Serve(ln)
}

// source returns the Source for the lobby's encoding.
func (l *ProposalLobby) source() warzonegames.Source {
	if l.Encoding == wzproposal.Binary {
		return warzonegames.SourceBinary
	}
	return warzonegames.SourceText
}

// encoded returns the wire form of a message whose encoding cannot fail.
func (l *ProposalLobby) encoded(m wzproposal.Message) []byte {
	b, _ := l.Encoding.Append(nil, m)
	return b
}

// answerRequest carries out a request. A filter has no effect; see ProposalLobby.
func (l *ProposalLobby) answerRequest(from netip.Addr, m wzproposal.Request) ([]byte, error) {
	var err error
	switch m := m.(type) {
	case wzproposal.List:
		return l.list(), nil
	case wzproposal.OpenGame:
		err = l.openGame(from, m)
	case wzproposal.StartGame:
		e, found := l.find(from, m.Port)
		err = l.update(&l.counts.Stats.Updated, e, found, func(e *warzonegames.Entry) { e.Started = true })
	case wzproposal.CloseGame:
		err = l.remove(l.find(from, m.Port))
	default:
		err = unknownCommand("wzproposal")
	}
	return l.encoded(wzproposal.Done{}), err
}

// join returns a list of games.
func (l *ProposalLobby) join(rows [][]byte) []byte {
	rows = rows[:min(len(rows), cmp.Or(max(l.server.Games.MaxListed, 0), wzproposal.MaxGames), wzproposal.MaxGames)]
	count := l.encoded(wzproposal.Count{Games: uint32(len(rows))})
	return slices.Concat(append([][]byte{count}, rows...)...)
}

// row returns the entry of a list for a game.
func (l *ProposalLobby) row(e *warzonegames.Entry) ([]byte, bool) {
	g := wzproposal.Game{
		IP:         e.Key.Addr(),
		Port:       e.Key.Port(),
		Name:       refusal.Shown(e.Game.Name, maxShownName),
		Map:        refusal.Shown(e.Game.MapName, maxShownMap),
		MaxPlayers: e.Game.MaxPlayers,
		Status:     wzproposal.StatusOpen,
	}
	if e.Started {
		g.Status = wzproposal.StatusStarted
	}
	b, err := l.Encoding.Append(nil, g)
	return b, err == nil
}

// openGame lists the game of a host, or changes it.
func (l *ProposalLobby) openGame(from netip.Addr, m wzproposal.OpenGame) error {
	if m.Name == "" {
		return refusal.ErrNoName
	}
	set := func(e *warzonegames.Entry) {
		setTexts(e, m.Name, m.Map)
		e.Game.MaxPlayers = m.MaxPlayers
		e.Started = false
	}
	e, found := l.find(from, m.Port)
	err := l.update(&l.counts.Stats.Added, e, found, set)
	if err == warzonegames.ErrGone {
		e = warzonegames.Entry{Key: netip.AddrPortFrom(from, m.Port), Source: l.source()}
		set(&e)
		_, err = l.add(e)
	}
	return err
}

// find returns the game at an address if it was opened through the same
// proposal.
func (l *ProposalLobby) find(from netip.Addr, port uint16) (warzonegames.Entry, bool) {
	e, ok := l.server.Games.Find(netip.AddrPortFrom(from, port))
	return e, ok && e.Source == l.source()
}

// The longest texts of a game in the proposals, in bytes. With them, the longest
// address and the largest numbers, a game fits a frame of the binary proposal.
const (
	maxShownName = 124
	maxShownMap  = 64
)

// setTexts sets the texts that all proposals have.
func setTexts(e *warzonegames.Entry, name, mapName string) {
	e.Game.Name, e.Game.MapName = refusal.Shown(name, maxShownName), refusal.Shown(mapName, maxShownMap)
}
