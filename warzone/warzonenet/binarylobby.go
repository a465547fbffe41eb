package warzonenet

import (
	"context"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzbin"
	"github.com/lobbywire/lobbywire/warzone/wztext"
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

	Limits lobbywire.ConnLimits
	Logger *slog.Logger // nil is silent

	once  sync.Once
	lobby addressed
}

func (l *BinaryLobby) init() {
	l.lobby.dialect = dialect{
		proto:    "wzbin",
		source:   SourceBinary,
		maxFrame: wzbin.MaxFrame,
		request:  nextBinaryRequest,
		count:    func(m wztext.Count) []byte { return encoded(wzbin.Count(m)) },
		game:     binaryGame,
		done:     encoded(wzbin.Done{}),
		failure:  func(m wztext.Error) []byte { return encoded(wzbin.Error(m)) },
	}
	l.lobby.init(l.Games, l.Life, l.Limits, l.Logger)
}

// Serve answers clients and hosts that connect to ln until Shutdown or Close. It
// owns ln. Its error is never nil.
func (l *BinaryLobby) Serve(ln net.Listener) error {
	l.once.Do(l.init)
	return l.lobby.serve(ln)
}

// Shutdown stops accepting, lets what was asked be answered, and returns when
// every Serve has returned or ctx is done. Games stay.
func (l *BinaryLobby) Shutdown(ctx context.Context) error {
	l.once.Do(l.init)
	return l.lobby.shutdown(ctx)
}

// Close closes all connections at once, and returns when every Serve has
// returned. Games stay.
func (l *BinaryLobby) Close() error {
	l.once.Do(l.init)
	return l.lobby.close()
}

// Stats returns a snapshot.
func (l *BinaryLobby) Stats() ProposalStats {
	l.once.Do(l.init)
	return l.lobby.snapshot()
}

// nextBinaryRequest cuts a request off b.
func nextBinaryRequest(b []byte) (wztext.Request, []byte, error) {
	m, rest, err := wzbin.NextRequest(b)
	switch m := m.(type) {
	case wzbin.List:
		return wztext.List(m), rest, err
	case wzbin.OpenGame:
		return wztext.OpenGame(m), rest, err
	case wzbin.StartGame:
		return wztext.StartGame(m), rest, err
	case wzbin.CloseGame:
		return wztext.CloseGame(m), rest, err
	}
	return wztext.Unknown{}, rest, err
}

// binaryGame returns the frame of a game.
func binaryGame(m wztext.Game) ([]byte, error) {
	return wzbin.Game{
		IP:         m.IP,
		Port:       m.Port,
		Name:       m.Name,
		Map:        m.Map,
		MaxPlayers: m.MaxPlayers,
		Status:     wzbin.Status(m.Status),
	}.MarshalBinary()
}
