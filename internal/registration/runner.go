// Package registration contains what all registrations at masters over UDP share.
package registration

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/lifecycle"
)

// A Task makes the datagrams for a master.
type Task interface {
	Tick(now time.Time, dst []byte) []byte // appends the datagram to send now, if there is one
	Next() time.Time                       // when Tick may have another
	Leave(dst []byte) []byte               // appends the last datagram, if there is one
}

// A Runner runs a Task: it finds the master and sends it the datagrams, from the socket
// of the server. If the name of the master gets another address, it leaves the old one and
// starts over at the new one. Its zero value is ready.
type Runner struct {
	Changed lifecycle.Signal // must be sent when Next, the Status or Heard has changed
	Lookup  Lookup           // looks up the names of masters; nil means the one of [net.DefaultResolver]

	runner lifecycle.Runner
}

// Settings are the parameters of Run.
type Settings struct {
	Addr   string // of the master, host:port
	Conn   net.PacketConn
	Logger *slog.Logger // nil is silent

	// Begin starts over with a master, before the first Tick. If it is not valid, the name of
	// the master has no address, not yet if err is nil.
	Begin func(master netip.AddrPort, err error)

	Status  *lifecycle.Status                  // set by the Task
	Changed func(lobbywire.RegistrationStatus) // gets the Status if it has changed; nil ignores it
	Heard   func() time.Time                   // when something last came from the master since Begin; zero if nothing has
}

// Run sends the datagrams of a Task until ctx is done, the server or the Runner ends, or
// the socket is closed. Then it sends the datagram of Leave. The error is the cause of
// ctx, an error of the socket or of Addr, or [lobbywire.ErrClosed].
func (r *Runner) Run(ctx context.Context, server *lifecycle.Server, t Task, s Settings) error {
	return r.runner.Run(ctx, func(ctx context.Context) error {
		return server.Run(ctx, func(ctx context.Context) error {
			master, name, err := parse(s.Addr, r.Lookup)
			if err != nil {
				return err
			}
			l := loop{runner: r, Task: t, Settings: s, name: name}
			defer l.end()
			l.begin(master)
			return l.run(ctx)
		})
	})
}

// Close ends Run and returns when it has returned.
func (r *Runner) Close() error { return r.runner.Close() }

// A loop is a call of Run.
type loop struct {
	runner *Runner
	Task
	Settings
	name   *name          // nil if Addr is an address
	master netip.AddrPort // not valid before the name is found
	begun  time.Time      // when the master was begun
	addrs  []netip.Addr   // of the name, as it was last found
	tried  int            // how many of them were left because nothing was heard there
	b      []byte         // the last datagram
	last   lobbywire.RegistrationStatus

	lookups, listing lifecycle.Trouble
}

// run sends datagrams until ctx is done or the socket is closed.
func (l *loop) run(ctx context.Context) error {
	for {
		next, err := l.tick()
		if err != nil {
			return err
		}
		l.report(ctx)
		var found chan found
		if l.name != nil {
			if l.isDeaf() {
				l.tried++
				l.moveTo(ctx, netip.AddrPortFrom(after(l.addrs, l.master.Addr()), l.name.port))
				continue
			}
			next = l.look(ctx, next)
			found = l.name.found
		}
		select {
		case <-time.After(time.Until(next)):
		case <-l.runner.Changed.C():
		case f := <-found:
			l.name.end()
			l.follow(ctx, f)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// tick sends what is due, and returns when more may be due. It fails if the socket is closed.
func (l *loop) tick() (next time.Time, err error) {
	if !l.master.IsValid() {
		return time.Now().Add(lookupEvery), nil
	}
	for l.b = l.Tick(time.Now(), l.b[:0]); len(l.b) > 0; l.b = l.Tick(time.Now(), l.b[:0]) {
		if err := l.send(); errors.Is(err, net.ErrClosed) {
			return next, err
		}
	}
	return l.Next(), nil
}

// report reports a change of the status.
func (l *loop) report(ctx context.Context) {
	l.Status.Tell(l.Changed)
	if !l.master.IsValid() {
		return
	}
	s, was := l.Status.Get(), l.last
	l.last = s
	switch s.Standing {
	case lobbywire.StandingListed, lobbywire.StandingUnconfirmed:
		l.listing.Over(ctx, l.Logger, "the master answers", l.attr())
	case lobbywire.StandingStarting, lobbywire.StandingLeft:
	default:
		if s.Err != was.Err {
			l.listing.Failed(ctx, l.Logger, "server not listed", s.Err, l.attr())
		}
	}
}

// patience is how long the loop waits to hear from a master for the first time if its name has
// other addresses.
const patience = 8 * time.Second

// isDeaf reports whether the master has been silent for so long that the next address of the name
// is tried. Each address is tried once, because some masters never send anything. After that only
// the Status decides that a master is silent.
func (l *loop) isDeaf() bool {
	if !l.Heard().IsZero() {
		l.tried = 0
	}
	return l.mayBeDeaf() && time.Since(l.begun) >= patience
}

// mayBeDeaf reports whether isDeaf will report true if nothing is heard.
func (l *loop) mayBeDeaf() bool {
	return l.master.IsValid() && l.Heard().IsZero() && len(l.addrs) > 1 && l.tried < len(l.addrs)
}

// look starts a lookup if one is due, and returns next or an earlier time at which something else is
// due.
func (l *loop) look(ctx context.Context, next time.Time) time.Time {
	if l.mayBeDeaf() {
		next = earlier(next, l.begun.Add(patience))
	}
	if l.name.found != nil {
		return next
	}
	urgent := !l.master.IsValid() || l.isSilent()
	due := l.name.next(urgent, l.Heard())
	if !time.Now().Before(due) {
		l.name.start(ctx, urgent)
		return next
	}
	return earlier(due, next)
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func (l *loop) isSilent() bool { return l.Status.Get().Standing == lobbywire.StandingSilent }

// follow handles the result of a lookup. After a failure, the last address stays. If the name
// has another address, it sends a goodbye to the old one, where the master may still run.
func (l *loop) follow(ctx context.Context, f found) {
	addrs, err := l.name.masters(f)
	if err != nil {
		l.lookups.Failed(ctx, l.Logger, "the name of the master is not found", err, l.attr())
		if !l.master.IsValid() {
			l.Begin(l.master, err)
		}
		return
	}
	l.lookups.Over(ctx, l.Logger, "the name of the master is found", l.attr())
	if !sameAddrs(addrs, l.addrs) {
		l.addrs, l.tried = addrs, 0
	}
	leaves := l.master.IsValid() && l.isSilent() && (l.tried < len(addrs) || time.Since(l.begun) >= lookupEvery)
	if leaves {
		l.tried++
	}
	if master := l.name.choose(addrs, l.master, leaves); master != l.master {
		l.moveTo(ctx, master)
	}
}

// sameAddrs reports whether two lookups have found the same addresses, in any order.
func sameAddrs(a, b []netip.Addr) bool {
	return slices.Equal(slices.SortedFunc(slices.Values(a), netip.Addr.Compare),
		slices.SortedFunc(slices.Values(b), netip.Addr.Compare))
}

// moveTo leaves the current master, if there is one, and starts over with another one.
func (l *loop) moveTo(ctx context.Context, master netip.AddrPort) {
	if l.master.IsValid() && l.Logger != nil {
		level := slog.LevelInfo
		if slices.Contains(l.addrs, l.master.Addr()) {
			level = slog.LevelDebug // repeats while no address of the name answers
		}
		l.Logger.LogAttrs(ctx, level, "another address of the master is used", l.attr(),
			slog.String("from", l.master.String()), slog.String("to", master.String()))
	}
	l.leave()
	l.begin(master)
}

// begin starts over with a master.
func (l *loop) begin(master netip.AddrPort) {
	l.master, l.begun = master, time.Now()
	l.Begin(master, nil)
}

// leave takes the server off the list of the current master, if there is one.
func (l *loop) leave() {
	if !l.master.IsValid() {
		return
	}
	l.b = l.Leave(l.b[:0])
	if len(l.b) > 0 {
		_ = l.send()
	}
}

// end leaves the master and ends the lookup that runs.
func (l *loop) end() {
	l.leave()
	l.Status.Set(lobbywire.StandingLeft, nil)
	l.Status.Tell(l.Changed)
	if l.name != nil {
		l.name.stop()
	}
}

// send sends the last datagram to the master.
func (l *loop) send() error {
	_, err := l.Conn.WriteTo(l.b, net.UDPAddrFromAddrPort(l.master))
	if err != nil && l.Logger != nil {
		l.Logger.LogAttrs(context.Background(), slog.LevelDebug, "sending to the master failed", l.attr(),
			slog.Any("error", err))
	}
	return err
}

func (l *loop) attr() slog.Attr { return slog.String("master", l.Addr) }
