package warzonenet

import (
	"cmp"
	"context"
	"encoding"
	"errors"
	"log/slog"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
)

// Times of the game's host.
const (
	updateEvery = 7 * time.Second  // at most
	keepAfter   = 25 * time.Second // of silence
)

// errAgain ends a connection because the game is to be announced on another.
var errAgain = errors.New("warzonenet: to be announced again")

// A history is what a Run remembers from one connection to the next.
type history struct {
	sent       time.Time // when it last was anything about the game
	unanswered int       // updates in a row that were not answered
}

// patience is after how many updates that were not answered a lobby is taken for
// one that answers none.
const patience = 2

// An announcement is one connection to the lobby.
type announcement struct {
	conversation
	host    *Host
	history *history
	timeout time.Duration
	conn    *stream.Conn

	responses chan warzone.Response // closed when there will be no more
	ended     error                 // why, then

	id       uint32
	awaited  time.Time // until when an answer is; zero if none is
	owed     int       // statuses that may come
	updating bool      // what is awaited is the answer to an update
}

// announce connects and keeps the game announced until the connection ends or
// ctx is done, and returns why.
func (h *Host) announce(ctx context.Context, past *history) error {
	a := &announcement{
		conversation: conversationOf(h.current()),
		host:         h,
		history:      past,
		timeout:      cmp.Or(h.Timeout, hostTimeout),
		responses:    make(chan warzone.Response),
	}
	dialing, cancel := context.WithTimeout(ctx, a.timeout)
	defer cancel()
	var err error
	if a.conn, err = stream.Dial(dialing, h.Dial, h.Addr, a.limits()); err != nil {
		return err
	}
	h.stats.connects.Add(1)
	defer context.AfterFunc(ctx, func() { a.conn.Close() })()
	go a.read()
	defer func() {
		a.conn.Close()
		for range a.responses { // until read has ended
		}
	}()
	return a.run(ctx)
}

// limits are for reading only what run has no eye on: the rest of a response.
func (a *announcement) limits() stream.Limits {
	return stream.Limits{
		First:    never,
		Frame:    a.timeout,
		Idle:     never,
		Write:    a.timeout,
		MaxFrame: warzone.MaxResponse,
	}
}

// read hands out what the lobby sends.
func (a *announcement) read() {
	defer close(a.responses)
	s := warzone.LobbyStream{HasGameID: !a.hasID}
	for {
		m, err := stream.Next(a.conn, s.NextResponse)
		if err != nil {
			a.ended = err
			return
		}
		a.responses <- m
	}
}

func (a *announcement) run(ctx context.Context) error {
	err := a.open()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for err == nil {
		timer.Reset(time.Until(a.next()))
		select {
		case m, ok := <-a.responses:
			if !ok {
				return a.ended
			}
			err = a.take(m)
		case now := <-timer.C:
			if !now.Before(a.next()) {
				err = a.act()
			}
		case <-a.host.wake:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return err
}

// open says what comes first.
func (a *announcement) open() error {
	if !a.hasID {
		return a.add()
	}
	a.awaited = time.Now().Add(a.timeout)
	return a.send(warzone.GameIDRequest{})
}

// next returns when something is to be done unless something comes.
func (a *announcement) next() time.Time {
	switch {
	case !a.awaited.IsZero():
		return a.awaited
	case a.host.hasNews():
		return a.history.sent.Add(updateEvery)
	case a.isModern():
		return a.history.sent.Add(keepAfter)
	}
	return time.Now().Add(keepAfter) // there is nothing to do
}

// act does what is due.
func (a *announcement) act() error {
	switch {
	case !a.awaited.IsZero():
		return a.unanswered()
	case a.host.hasNews() && a.updates:
		return a.update()
	case a.host.hasNews():
		return errAgain
	}
	a.history.sent = time.Now()
	a.host.stats.keeps.Add(1)
	return a.send(warzone.Keep{})
}

// unanswered waits for an answer no longer, and without it gives the connection
// up, unless it is the answer to an update of a lobby that gives none.
func (a *announcement) unanswered() error {
	if a.updating {
		a.history.unanswered++
		if !a.isModern() {
			a.awaited = time.Time{}
			return nil
		}
	}
	return lobbywire.ErrTimeout
}

// isModern tells whether the conversation is really that of today. If the lobby
// is older it does not know of keeps either.
func (a *announcement) isModern() bool { return a.keeps && a.history.unanswered < patience }

// game returns the game as it is to be sent.
func (a *announcement) game() (warzone.Game, error) {
	game := a.host.taken()
	if conversationOf(game) != a.conversation {
		return game, errAgain
	}
	if a.hasID {
		game.GameID = a.id
	}
	a.history.sent = time.Now()
	a.host.stats.sent.Add(1)
	return game, nil
}

func (a *announcement) add() error {
	game, err := a.game()
	if err != nil {
		return err
	}
	if err := a.send(warzone.AddGame{Game: game}); err != nil {
		return err
	}
	if !a.answered {
		a.announced(warzone.Status{})
		return nil
	}
	a.owed = 1
	a.awaited = time.Now().Add(a.timeout)
	return nil
}

func (a *announcement) update() error {
	game, err := a.game()
	if err != nil {
		return err
	}
	if a.owed++; a.isModern() {
		a.updating = true
		a.awaited = time.Now().Add(a.timeout)
	}
	return a.send(warzone.Update{Game: game})
}

func (a *announcement) send(m encoding.BinaryMarshaler) error {
	b, err := m.MarshalBinary()
	if err != nil {
		return err
	}
	_, err = a.conn.Write(b)
	return err
}

// take takes what the lobby says. A status that nobody has asked for says
// nothing: so a lobby cannot call Changed as often as it likes.
func (a *announcement) take(m warzone.Response) error {
	switch m := m.(type) {
	case warzone.GameIDReply:
		a.id = m.GameID
		a.host.change(func(s *HostState) { s.GameID = m.GameID })
		return a.add()
	case warzone.Status:
		if a.owed == 0 {
			return nil
		}
		a.owed--
		a.awaited = time.Time{}
		if a.updating {
			a.history.unanswered = 0
		}
		a.announced(m)
	}
	return nil
}

// announced notes that the game has been sent and, with its status, answered.
func (a *announcement) announced(status warzone.Status) {
	h := a.host
	was := h.State()
	h.change(func(s *HostState) { *s = HostState{Announced: true, GameID: a.id, Status: status} })
	if h.Logger != nil && !(was.Announced && was.Status.Code == status.Code) {
		h.Logger.LogAttrs(context.Background(), slog.LevelInfo, "game announced",
			slog.String("lobby", h.Addr), slog.Uint64("id", uint64(a.id)), slog.String("status", status.Code.String()))
	}
}
