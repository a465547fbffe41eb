package warzonenet

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wztext"
)

// A TextLobby lists games in the text proposal of package wztext. Its zero value
// is ready; fields must not change while it serves.
//
// A game is where the connection comes from, at the port that its host tells;
// nobody else can start or close it but by the same address. It outlives the
// connection. A game that was opened through another protocol is shown, and
// cannot be changed.
type TextLobby struct {
	// Games are what it lists, and to what hosts add. Other servers may share
	// them. nil is an empty list of its own.
	Games *Games

	// Life is how long a game stays listed after its host last told of it, by
	// OPENGAME or STARTGAME. 0 means 10 minutes.
	Life time.Duration

	Limits Limits
	Logger *slog.Logger // nil is silent

	once     sync.Once
	proposal proposal[wztext.Request]
	hosted   addressed
	view     view[[]byte]
}

// maxTextRequest is how long a line of a client is at most.
const maxTextRequest = 1 << 10

func (l *TextLobby) init() {
	p := &l.proposal
	p.games = l.Games
	p.next = wztext.Options{MaxLine: maxTextRequest}.NextRequest
	p.answer = l.answer
	p.refuse = func(text string) []byte { return encoded(wztext.Error{Text: text}) }
	p.closed = l.view.close
	p.init(l.Limits, maxTextRequest, l.Logger)
	l.hosted = addressed{p.games, SourceText, l.Life, &p.stats}
	l.view = view[[]byte]{games: p.games, row: textRow, join: l.list}
}

// Serve answers clients and hosts that connect to ln until Shutdown or Close. It
// owns ln. Its error is never nil.
func (l *TextLobby) Serve(ln net.Listener) error {
	l.once.Do(l.init)
	return l.proposal.serve(ln)
}

// Shutdown stops accepting, lets what was asked be answered, and returns when
// every Serve has returned or ctx is done. Games stay.
func (l *TextLobby) Shutdown(ctx context.Context) error {
	l.once.Do(l.init)
	return l.proposal.shutdown(ctx)
}

// Close closes all connections at once, and returns when every Serve has
// returned. Games stay.
func (l *TextLobby) Close() error {
	l.once.Do(l.init)
	return l.proposal.close()
}

// Stats returns a snapshot.
func (l *TextLobby) Stats() ProposalStats {
	l.once.Do(l.init)
	return l.proposal.snapshot()
}

// answer carries out a request. All games pass the only filter of the proposal.
func (l *TextLobby) answer(from netip.Addr, m wztext.Request) ([]byte, error) {
	var err error
	switch m := m.(type) {
	case wztext.List:
		l.proposal.stats.lists.Add(1)
		return l.view.encoded(), nil
	case wztext.OpenGame:
		err = l.hosted.open(from, opening{m.Port, m.Name, m.Map, m.MaxPlayers})
	case wztext.StartGame:
		err = l.hosted.start(from, m.Port)
	case wztext.CloseGame:
		err = l.hosted.close(from, m.Port)
	default:
		err = unknownCommand("wztext")
	}
	return encoded(wztext.Done{}), err
}

// list returns a list of games.
func (l *TextLobby) list(rows [][]byte) []byte {
	most := cmp.Or(l.proposal.games.MaxListed, wztext.MaxGames)
	rows = rows[:min(len(rows), most, wztext.MaxGames)]
	count := encoded(wztext.Count{Games: uint32(len(rows))})
	return slices.Concat(append([][]byte{count}, rows...)...)
}

// textRow returns the line of a game.
func textRow(e *Entry) ([]byte, bool) {
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
	b, err := g.MarshalBinary()
	return b, err == nil
}
