package warzonenet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/announce"
)

// Times of the game's host.
const (
	updateEvery = 7 * time.Second  // minimum
	keepAfter   = 25 * time.Second // of silence
)

// patience is the number of unanswered updates after which the Host assumes that the lobby
// answers no updates.
const patience = 2

// An announcement is one connection to the lobby.
type announcement struct {
	conversation
	host    *Host
	local   netip.Addr // as the Host requested
	version uint64     // of the game that was last sent
	conn    *stream.Conn

	responses chan warzone.Response // closed by read
	ended     error                 // why read ended; set before responses is closed

	id       uint32
	awaited  time.Time // the deadline of an answer; zero if none is awaited
	owed     int       // statuses that are expected
	updating bool      // the awaited answer is for an update
}

// announce connects, keeps the game announced until the connection ends or ctx is
// done, and returns the reason.
func (h *Host) announce(ctx context.Context) error {
	game, _ := h.announcer.Current()
	a := &announcement{
		conversation: conversationOf(game),
		host:         h,
		local:        h.local(),
		responses:    make(chan warzone.Response),
	}
	dialing, cancel := context.WithTimeout(ctx, announce.Timeout)
	defer cancel()
	var err error
	a.conn, err = stream.Dial(dialing, h.announcer.Local.Or(h.Dial), h.Addr, stream.Limits{
		First:    never, // run has its own timeouts for the start of a response
		Frame:    announce.Timeout,
		Idle:     never,
		Write:    announce.Timeout,
		MaxFrame: warzone.MaxResponse,
	})
	if err != nil {
		return err
	}
	h.counts.Add(&h.counts.Stats.Connects)
	defer context.AfterFunc(ctx, func() { a.conn.Close() })()
	go a.read()
	err = a.run(ctx)
	a.conn.Close()
	for range a.responses { // until read has ended
	}
	return a.conn.Outcome(err)
}

// read sends the messages of the lobby to responses.
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
		at, _ := a.due()
		timer.Reset(time.Until(at))
		select {
		case m, ok := <-a.responses:
			if !ok {
				return a.ended
			}
			err = a.take(m)
		case now := <-timer.C:
			at, act := a.due()
			if act != nil && !now.Before(at) {
				err = act()
			}
		case <-a.host.announcer.News.C():
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return err
}

// open sends the first message.
func (a *announcement) open() error {
	if !a.hasID {
		return a.add()
	}
	a.awaited = time.Now().Add(announce.Timeout)
	return stream.Send(a.conn, warzone.GameIDRequest{})
}

// due returns the next action and its time, for the case that no message arrives before.
// The function is nil if there is no action.
func (a *announcement) due() (at time.Time, act func() error) {
	_, version := a.host.announcer.Current()
	changed := version != a.version
	again := func() error { return stream.ErrAgain } // on another connection
	switch {
	case a.host.local() != a.local:
		return time.Time{}, again
	case !a.awaited.IsZero():
		return a.awaited, a.unanswered
	case changed && a.updates:
		return a.host.past.sent.Add(updateEvery), a.update
	case changed:
		return a.host.past.sent.Add(updateEvery), again
	case a.isModern():
		return a.host.past.sent.Add(keepAfter), a.keep
	}
	return time.Now().Add(keepAfter), nil
}

func (a *announcement) keep() error {
	a.host.past.sent = time.Now()
	a.host.counts.Add(&a.host.counts.Stats.Keeps)
	return stream.Send(a.conn, warzone.Keep{})
}

// unanswered handles a missing answer. It ends the connection, except after an
// update to a lobby that answers no updates.
func (a *announcement) unanswered() error {
	if a.updating {
		a.host.past.unanswered++
		if !a.isModern() {
			a.awaited = time.Time{}
			return nil
		}
	}
	return lobbywire.ErrTimeout
}

// isModern reports whether the lobby answers updates and accepts Keep messages.
func (a *announcement) isModern() bool { return a.keeps && a.host.past.unanswered < patience }

// game returns the game in the form to be sent.
func (a *announcement) game() (warzone.Game, error) {
	game, version := a.host.announcer.Current()
	a.version = version
	if conversationOf(game) != a.conversation {
		return game, stream.ErrAgain
	}
	if a.hasID {
		game.GameID = a.id
	}
	a.host.past.sent = time.Now()
	a.host.counts.Add(&a.host.counts.Stats.Sent)
	return game, nil
}

func (a *announcement) add() error {
	game, err := a.game()
	if err == nil {
		err = stream.Send(a.conn, warzone.AddGame{Game: game})
	}
	switch {
	case err != nil:
	case a.answered:
		a.owed, a.awaited = 1, time.Now().Add(announce.Timeout)
	default:
		a.announced(warzone.Status{})
	}
	return err
}

func (a *announcement) update() error {
	game, err := a.game()
	if err != nil {
		return err
	}
	a.owed++
	if a.isModern() {
		a.updating = true
		a.awaited = time.Now().Add(announce.Timeout)
	}
	return stream.Send(a.conn, warzone.Update{Game: game})
}

// take handles a message of the lobby. It ignores a status that answers no message, so a
// lobby cannot cause calls of Changed at will.
func (a *announcement) take(m warzone.Response) error {
	switch m := m.(type) {
	case warzone.GameIDReply:
		a.id = m.GameID
		a.host.change(func(s *HostAnswer) { s.GameID = m.GameID })
		return a.add()
	case warzone.Status:
		if a.owed == 0 {
			return nil
		}
		a.owed--
		a.awaited = time.Time{}
		if a.updating {
			a.host.past.unanswered = 0
		}
		a.announced(m)
	}
	return nil
}

// announced records that the game was sent, and its status if it was answered.
func (a *announcement) announced(status warzone.Status) {
	h := a.host
	was, wasAt := h.Answer(), h.Status().Standing
	h.change(func(s *HostAnswer) { *s = HostAnswer{GameID: a.id, Status: status} })
	standing, err := lobbywire.StandingListed, error(nil)
	switch {
	case !a.answered:
		standing, err = lobbywire.StandingUnconfirmed, errUnanswered
	case !status.Code.OK():
		standing = lobbywire.StandingRefused
		err = fmt.Errorf("warzonenet: the game is %w by the lobby: %d %v, %q", lobbywire.ErrRefused, status.Code,
			status.Code, status.Text)
	}
	h.announcer.Stand(standing, err, h.Changed)
	if h.Logger != nil && !(wasAt == standing && was.Status.Code == status.Code) {
		h.Logger.LogAttrs(context.Background(), slog.LevelInfo, "game announced",
			slog.String("lobby", h.Addr), slog.Uint64("id", uint64(a.id)), slog.String("status", status.Code.String()))
	}
}

var errUnanswered = errors.New("warzonenet: no lobby answers hosts of this version")

// A conversation describes how hosts of a version exchange messages with a
// lobby.
type conversation struct {
	hasID    bool // requests a game id first
	answered bool // the lobby answers an announcement with a status
	updates  bool // sends changes on the same connection
	keeps    bool // the lobby also answers updates, and the host sends Keep messages
}

func conversationOf(g warzone.Game) conversation {
	switch {
	case isRecord(g.Layout):
		return conversation{}
	case g.Version == warzone.Version2:
		return conversation{answered: true}
	case g.Layout == warzone.Layout23:
		return conversation{hasID: true, answered: true}
	case g.Version == warzone.Version3:
		return conversation{hasID: true, answered: true, updates: true}
	}
	return conversation{hasID: true, answered: true, updates: true, keeps: true}
}

// never is the timeout of steps that do not time out.
const never = 100 * 365 * 24 * time.Hour
