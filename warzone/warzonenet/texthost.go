package warzonenet

import (
	"context"
	"log/slog"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wztext"
)

// A TextHost keeps one game in the list of a lobby of the text proposal for as
// long as Run lasts. Set says what game, before Run and whenever it changes, and
// Start that it is being played. Fields must not change after that.
//
// A change is announced at once, a second after what was announced before at the
// earliest. If that fails, it is tried again, after 5 s or so, and twice as long
// with each failure, up to 5 min. So a lobby that was gone, or has forgotten the
// game, lists it again.
type TextHost struct {
	// Lobby is where to announce, host:port.
	Lobby string

	// Client sends the announcements; nil is a zero one.
	Client *TextClient

	// Every is how often the game is announced while nothing changes; 0 means
	// 200 s, as a TextLobby forgets a game after 10 minutes.
	Every time.Duration

	// Announced is called by Run after each announcement unless it is nil. The
	// error is nil if the lobby lists the game, and a [*LobbyError] if it
	// refuses to.
	Announced func(err error)

	Logger *slog.Logger // is told of failures; nil is silent

	opened opened
}

// Set says what the game is now, and that it can be joined. It fails as
// [wztext.OpenGame.AppendBinary] does, and changes nothing then.
func (h *TextHost) Set(game wztext.OpenGame) error {
	if _, err := game.AppendBinary(nil); err != nil {
		return err
	}
	h.opened.set(game)
	return nil
}

// Start says that the game is being played, until Set is called again.
func (h *TextHost) Start() { h.opened.start() }

// Run announces the game until ctx is done, and closes it then, for which it may
// take 5 s more. It can be called again after that, not before. Its error is
// never nil: the cause of ctx, that Set was not called, or that it runs already.
func (h *TextHost) Run(ctx context.Context) error {
	c := h.Client
	if c == nil {
		c = new(TextClient)
	}
	return h.opened.run(ctx, openedClient{
		open:  func(ctx context.Context, m wztext.OpenGame) error { return c.OpenGame(ctx, h.Lobby, m) },
		start: func(ctx context.Context, m wztext.StartGame) error { return c.StartGame(ctx, h.Lobby, m) },
		close: func(ctx context.Context, m wztext.CloseGame) error { return c.CloseGame(ctx, h.Lobby, m) },
	}, attendant{lobby: h.Lobby, every: h.Every, announced: h.Announced, logger: h.Logger})
}
