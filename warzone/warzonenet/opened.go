package warzonenet

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wztext"
)

// openEvery is how often a game is opened again that stays listed for 10
// minutes: two announcements may fail.
const openEvery = 200 * time.Second

// opened is the game of a TextHost or a BinaryHost, whose messages differ only
// in what they look like on the wire.
type opened struct {
	attendance attendance

	mu      sync.Mutex
	game    wztext.OpenGame
	isSet   bool
	started bool
	listed  uint16 // the port that the lobby may know the game by, or 0
}

// openedClient is what opened asks of a client.
type openedClient struct {
	open  func(ctx context.Context, m wztext.OpenGame) error
	start func(ctx context.Context, m wztext.StartGame) error
	close func(ctx context.Context, m wztext.CloseGame) error
}

// set says what the game is now.
func (o *opened) set(game wztext.OpenGame) {
	o.mu.Lock()
	o.game, o.isSet, o.started = game, true, false
	o.mu.Unlock()
	o.attendance.changed()
}

// start says that it is being played.
func (o *opened) start() {
	o.mu.Lock()
	o.started = true
	o.mu.Unlock()
	o.attendance.changed()
}

// run keeps the game listed until ctx is done. who lacks what is to be said.
func (o *opened) run(ctx context.Context, c openedClient, who attendant) error {
	o.mu.Lock()
	isSet := o.isSet
	o.mu.Unlock()
	if !isSet {
		return errNotSet
	}
	who.every = cmp.Or(who.every, openEvery)
	who.announce = func(ctx context.Context) error { return o.announce(ctx, c) }
	who.leave = func(ctx context.Context) error { return o.leave(ctx, c) }
	return o.attendance.run(ctx, who)
}

// announce tells the lobby of the game as it is now. A lobby that has forgotten
// one that has started is told anew.
func (o *opened) announce(ctx context.Context, c openedClient) error {
	o.mu.Lock()
	game, started, listed := o.game, o.started, o.listed
	o.mu.Unlock()
	if listed != 0 && listed != game.Port {
		if err := o.leave(ctx, c); err != nil {
			return err
		}
		listed = 0
	}
	if started && listed != 0 {
		err := c.start(ctx, wztext.StartGame{Port: game.Port})
		if refused := (*LobbyError)(nil); !errors.As(err, &refused) {
			return err
		}
	}
	o.list(game.Port) // even if the answer is lost, it may be there
	if err := c.open(ctx, game); err != nil || !started {
		return err
	}
	return c.start(ctx, wztext.StartGame{Port: game.Port})
}

// leave closes the game. It does not mind if the lobby does not know it.
func (o *opened) leave(ctx context.Context, c openedClient) error {
	o.mu.Lock()
	listed := o.listed
	o.mu.Unlock()
	if listed == 0 {
		return nil
	}
	err := c.close(ctx, wztext.CloseGame{Port: listed})
	if refused := (*LobbyError)(nil); err == nil || errors.As(err, &refused) {
		o.list(0)
		return nil
	}
	return err
}

func (o *opened) list(port uint16) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.listed = port
}
