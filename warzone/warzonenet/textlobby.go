package warzonenet

import (
	"context"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
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

	Limits lobbywire.ConnLimits
	Logger *slog.Logger // nil is silent

	once  sync.Once
	lobby addressed
}

// maxTextRequest is how long a line of a client is at most.
const maxTextRequest = 1 << 10

func (l *TextLobby) init() {
	l.lobby.dialect = dialect{
		proto:    "wztext",
		source:   SourceText,
		maxFrame: maxTextRequest,
		request:  wztext.Options{MaxLine: maxTextRequest}.NextRequest,
		count:    func(m wztext.Count) []byte { return encoded(m) },
		game:     wztext.Game.MarshalBinary,
		done:     encoded(wztext.Done{}),
		failure:  func(m wztext.Error) []byte { return encoded(m) },
	}
	l.lobby.init(l.Games, l.Life, l.Limits, l.Logger)
}

// Serve answers clients and hosts that connect to ln until Shutdown or Close. It
// owns ln. Its error is never nil.
func (l *TextLobby) Serve(ln net.Listener) error {
	l.once.Do(l.init)
	return l.lobby.serve(ln)
}

// Shutdown stops accepting, lets what was asked be answered, and returns when
// every Serve has returned or ctx is done. Games stay.
func (l *TextLobby) Shutdown(ctx context.Context) error {
	l.once.Do(l.init)
	return l.lobby.shutdown(ctx)
}

// Close closes all connections at once, and returns when every Serve has
// returned. Games stay.
func (l *TextLobby) Close() error {
	l.once.Do(l.init)
	return l.lobby.close()
}

// Stats returns a snapshot.
func (l *TextLobby) Stats() ProposalStats {
	l.once.Do(l.init)
	return l.lobby.snapshot()
}
