package proposalnet

import (
	"context"
	"net"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
)

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

// Serve answers clients and hosts that connect to ln until Shutdown or Close. It owns ln
// and closes it. Its error is never nil; it is [lobbywire.ErrClosed] after Shutdown and
// Close.
func (l *Lobby) Serve(ln net.Listener) error {
	l.server.Once.Do(l.init)
	return l.server.Serve(ln)
}

// SetLimits replaces Limits. It may be called while the Lobby serves. Deadlines apply to
// new connections.
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

// end frees the lists, which exist if Serve was called.
func (l *Lobby) end() {
	l.server.Once.Do(func() {})
	l.lister.close()
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
