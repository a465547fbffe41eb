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

	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

// A BinaryLobby lists games in the binary proposal of package wzbin. Its zero value
// is ready; fields must not change while it serves.
//
// A game is where the connection comes from, at the port that its host tells;
// nobody else can start or close it but by the same address. It outlives the
// connection. A game that was opened through another protocol is shown, and
// cannot be changed.
type BinaryLobby struct {
	// Games are what it lists, and to what hosts add. Other servers may share
	// them. nil is an empty list of its own.
	Games *Games

	// Life is how long a game stays listed after its host last told of it, by
	// OpenGame or StartGame. 0 means 10 minutes.
	Life time.Duration

	Limits Limits
	Logger *slog.Logger // nil is silent

	once     sync.Once
	proposal proposal[wzbin.Request]
	hosted   addressed
	view     view[[]byte]
}

func (l *BinaryLobby) init() {
	p := &l.proposal
	p.games = l.Games
	p.next = wzbin.NextRequest
	p.answer = l.answer
	p.refuse = func(text string) []byte { return encoded(wzbin.Error{Text: text}) }
	p.closed = l.view.close
	p.init(l.Limits, wzbin.MaxFrame, l.Logger)
	l.hosted = addressed{p.games, SourceBinary, l.Life, &p.stats}
	l.view = view[[]byte]{games: p.games, row: binaryRow, join: l.list}
}

// Serve answers clients and hosts that connect to ln until Shutdown or Close. It
// owns ln. Its error is never nil.
func (l *BinaryLobby) Serve(ln net.Listener) error {
	l.once.Do(l.init)
	return l.proposal.serve(ln)
}

// Shutdown stops accepting, lets what was asked be answered, and returns when
// every Serve has returned or ctx is done. Games stay.
func (l *BinaryLobby) Shutdown(ctx context.Context) error {
	l.once.Do(l.init)
	return l.proposal.shutdown(ctx)
}

// Close closes all connections at once, and returns when every Serve has
// returned. Games stay.
func (l *BinaryLobby) Close() error {
	l.once.Do(l.init)
	return l.proposal.close()
}

// Stats returns a snapshot.
func (l *BinaryLobby) Stats() ProposalStats {
	l.once.Do(l.init)
	return l.proposal.snapshot()
}

// answer carries out a request. All games pass the only filter of the proposal.
func (l *BinaryLobby) answer(from netip.Addr, m wzbin.Request) ([]byte, error) {
	var err error
	switch m := m.(type) {
	case wzbin.List:
		l.proposal.stats.lists.Add(1)
		return l.view.encoded(), nil
	case wzbin.OpenGame:
		err = l.hosted.open(from, opening{m.Port, m.Name, m.Map, m.MaxPlayers})
	case wzbin.StartGame:
		err = l.hosted.start(from, m.Port)
	case wzbin.CloseGame:
		err = l.hosted.close(from, m.Port)
	default:
		err = unknownCommand("wzbin")
	}
	return encoded(wzbin.Done{}), err
}

// list returns a list of games.
func (l *BinaryLobby) list(rows [][]byte) []byte {
	most := cmp.Or(l.proposal.games.MaxListed, wzbin.MaxGames)
	rows = rows[:min(len(rows), most, wzbin.MaxGames)]
	count := encoded(wzbin.Count{Games: uint32(len(rows))})
	return slices.Concat(append([][]byte{count}, rows...)...)
}

// binaryRow returns the frame of a game.
func binaryRow(e *Entry) ([]byte, bool) {
	g := wzbin.Game{
		IP:         e.Key.Addr(),
		Port:       e.Key.Port(),
		Name:       shown(e.Game.Name, maxShownName),
		Map:        shown(e.Game.MapName, maxShownMap),
		MaxPlayers: e.Game.MaxPlayers,
		Status:     wzbin.StatusOpen,
	}
	if e.Started {
		g.Status = wzbin.StatusStarted
	}
	b, err := g.MarshalBinary()
	return b, err == nil
}
