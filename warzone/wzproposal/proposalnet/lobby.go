package proposalnet

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/counts"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A Lobby lists games in one of the proposals. Its zero value is ready and speaks the text
// proposal; fields must not change while it serves.
type Lobby struct {
	// Proposal is the proposal of all connections.
	Proposal Proposal

	// Games has the open games, and may be shared with other lobbies. nil means an empty
	// list of this Lobby only.
	Games *warzonegames.Games

	// Key is the secret that the ids of JSON are derived from. It should have 32 random bytes.
	// All nodes that share a Store need the same Key, and a lobby needs it again after a
	// restart: otherwise hosts cannot close their games before they add them again. nil means
	// a random key.
	Key []byte

	// NoVerify lists games without checking, again and again, that they can be reached.
	NoVerify bool

	// Dial connects to hosts; nil means [net.Dialer.DialContext].
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// Refused is called for a game that is not listed, as package lobbywire describes. nil
	// does nothing.
	Refused func(r lobbywire.Refusal)

	Limits lobbywire.ConnLimits
	Logger *slog.Logger // nil is silent

	server  serving.Server
	counts  counts.Of[LobbyStats]
	dialect dialect
	lister  lister
	ids     ids

	refusals serving.Refusals
}

// LobbyStats has the counts of a Lobby since its creation.
type LobbyStats struct {
	lobbywire.ConnStats

	Lists     uint64 // lists sent
	Added     uint64 // games listed, or opened again
	Updated   uint64 // changes of listed games, and heartbeats
	Removed   uint64 // games that hosts removed
	Refused   uint64 // requests refused, and games withheld because they do not answer
	Malformed uint64 // requests that are malformed
}

func (l *Lobby) init() {
	l.dialect = l.Proposal.dialect()
	l.refusals.Init(l.Refused, l.Logger)
	l.server.Init(serving.Settings{
		Games:    l.Games,
		Limits:   l.Limits,
		MaxFrame: l.dialect.facts().maxCommand,
		Logger:   l.Logger,
		Refusals: &l.refusals.Reporter,
		Handler:  func(_ context.Context, c *stream.Conn) { l.serveConn(c) },
		Checker:  l.checker(),
	})
	l.lister.init(l.dialect, l.server.Games)
	l.ids = newIDs(l.Key)
}

// Serve answers clients and hosts that connect to ln until Shutdown or Close. It owns ln and
// closes it. Its error is never nil; it is [lobbywire.ErrClosed] after Shutdown and Close.
func (l *Lobby) Serve(ln net.Listener) error {
	l.server.Once.Do(l.init)
	return l.server.Serve(ln)
}

// SetLimits replaces Limits. It may be called while the Lobby serves. Deadlines apply to new
// connections.
func (l *Lobby) SetLimits(limits lobbywire.ConnLimits) {
	l.server.Once.Do(l.init)
	l.server.SetLimits(limits)
}

// Shutdown stops accepting connections, answers pending requests, and returns when every
// Serve has returned or ctx is done. Games stay listed until they expire.
func (l *Lobby) Shutdown(ctx context.Context) error {
	defer l.end()
	return l.server.Shutdown(ctx)
}

// Close closes all connections at once.
func (l *Lobby) Close() error {
	defer l.end()
	return l.server.Close()
}

// end frees the lists, which were made if Serve was called.
func (l *Lobby) end() {
	l.server.Once.Do(func() {})
	l.lister.close()
}

// Stats returns a snapshot.
func (l *Lobby) Stats() LobbyStats {
	s := l.counts.Snapshot()
	s.ConnStats = l.server.Stats()
	return s
}

// maxMalformed is the number of malformed commands that a connection may send.
const maxMalformed = 16

// serveConn answers the commands of a connection, in order.
func (l *Lobby) serveConn(c *stream.Conn) {
	next := l.dialect.commands()
	pace := serving.NewPace()
	from := c.Remote().Addr().WithZone("")
	reported := false
	for malformed := 0; malformed < maxMalformed; {
		var wrong error // with a command after which the next one can be found
		var input []byte
		m, err := stream.Next(c, func(b []byte) (m command, rest []byte, err error) {
			m, rest, err = next(b)
			if serving.IsMalformed(err) && len(rest) < len(b) {
				wrong, input, err = err, b, nil
			}
			return m, rest, err
		})
		switch {
		case serving.IsMalformed(err):
			wrong, input, malformed = err, c.Rest(), maxMalformed
		case err != nil:
			return
		}
		if !pace.Wait(c.Ending()) {
			return
		}
		var answer []byte
		if wrong != nil {
			malformed++
			l.counts.Add(&l.counts.Stats.Malformed)
			if !reported { // after a line of HTTP come others
				reported = true
				l.refusals.Malformed(netip.AddrPortFrom(from, 0), input, wrong)
			}
			answer = l.dialect.refused(refusal.Shown(wrong.Error(), refusal.MaxText))
		} else {
			answer = l.answer(from, m)
		}
		if _, err := c.Write(answer); err != nil {
			return
		}
	}
	c.Finish()
}

// answer carries out a command and returns the answer.
func (l *Lobby) answer(from netip.Addr, c command) []byte {
	var list []byte
	var id string
	var err error
	switch c.verb {
	case verbList:
		list, err = l.lister.list(from, c.filter)
	case verbClose:
		err = l.remove(from, c)
	default:
		id, err = l.put(from, c)
	}
	switch {
	case err != nil:
		l.counts.Add(&l.counts.Stats.Refused)
		if c.verb == verbOpen || c.verb == verbUpdate {
			l.refusals.Report(refusal.Of(netip.AddrPortFrom(from, c.game.Port), err))
		}
		return l.dialect.refused(refusal.Text(err))
	case c.verb == verbList:
		l.counts.Add(&l.counts.Stats.Lists)
		return list
	}
	return l.dialect.done(c.verb, id)
}

// put lists a game, changes it or keeps it listed.
func (l *Lobby) put(from netip.Addr, c command) (id string, err error) {
	e, found := l.find(from, c)
	if !found && c.verb != verbOpen {
		return "", warzonegames.ErrGone
	}
	game := gameOf(&e)
	switch c.verb {
	case verbOpen:
		game = c.game
	case verbUpdate:
		c.change(&game)
	}
	if game.Name == "" {
		return "", refusal.ErrNoName
	}
	life := l.dialect.facts().life
	set := func(e *warzonegames.Entry) {
		game.describe(e)
		e.Expires = time.Now().Add(life)
	}
	count := &l.counts.Stats.Updated
	err = warzonegames.ErrGone
	if found {
		e, err = l.server.Games.Update(e.ID, set)
	}
	if c.verb == verbOpen {
		count = &l.counts.Stats.Added
		if err == warzonegames.ErrGone { // or it belongs to another node
			e = warzonegames.Entry{Key: netip.AddrPortFrom(from, game.Port), Source: l.dialect.facts().source}
			set(&e)
			e, err = l.server.Games.Add(e)
		}
	}
	if err != nil {
		return "", err
	}
	if e.Unreachable {
		l.server.Games.Touch(e.ID, time.Now().Add(max(life, withheldLife)))
		return "", refusal.UnreachableAt(e.Key)
	}
	l.counts.Add(count)
	return l.ids.id(&e), nil
}

// withheldLife is how long a game that does not answer is kept at least, after the last request
// of its host. A Host, which backs off when it is refused, repeats its requests more often, so it
// does not get its game listed by opening it anew.
const withheldLife = 10 * time.Minute

// remove removes a game.
func (l *Lobby) remove(from netip.Addr, c command) error {
	e, found := l.find(from, c)
	if !found || !l.server.Games.Remove(e.ID) {
		return warzonegames.ErrGone
	}
	l.counts.Add(&l.counts.Stats.Removed)
	return nil
}

// find returns the game of a command, if it was opened through the same proposal.
func (l *Lobby) find(from netip.Addr, c command) (e warzonegames.Entry, ok bool) {
	if l.dialect.facts().hasIDs {
		e, ok = l.ids.find(l.server.Games, c.id)
	} else {
		e, ok = l.server.Games.Find(netip.AddrPortFrom(from, c.game.Port))
	}
	return e, ok && e.Source == l.dialect.facts().source
}
