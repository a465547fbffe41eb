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

// A loop is a call of Run.
type loop[T Task] struct {
	*Runner[T]
	name  *name          // nil if Addr is an address
	to    netip.AddrPort // the master; not valid before the name is found
	begun time.Time      // when the master was begun
	addrs []netip.Addr   // of the name, as it was last found
	tried int            // how many of them were left because nothing was heard there
	b     []byte         // the last datagram
	last  lobbywire.RegistrationStatus

	lookups, listing lifecycle.Trouble
}

// run sends datagrams until ctx is done or the socket is closed.
func (l *loop[T]) run(ctx context.Context) error {
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
				l.moveTo(ctx, netip.AddrPortFrom(after(l.addrs, l.to.Addr()), l.name.port))
				continue
			}
			next = l.look(ctx, next)
			found = l.name.found
		}
		select {
		case <-time.After(time.Until(next)):
		case <-l.Wake.C():
		case f := <-found:
			l.name.end()
			l.follow(ctx, f)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// tick sends what is due, and returns when more may be due. It fails if the socket is closed.
func (l *loop[T]) tick() (next time.Time, err error) {
	if !l.to.IsValid() {
		return time.Now().Add(lookupEvery), nil
	}
	for l.b = l.Tick(time.Now(), l.b[:0]); len(l.b) > 0; l.b = l.Tick(time.Now(), l.b[:0]) {
		if err := l.write(); errors.Is(err, net.ErrClosed) {
			return next, err
		}
	}
	return l.Next(), nil
}

// report reports a change of the status.
func (l *loop[T]) report(ctx context.Context) {
	l.Status.Tell(l.Changed)
	if !l.to.IsValid() {
		return
	}
	s, was := l.Status.Get(), l.last
	l.last = s
	switch s.Standing {
	case lobbywire.StandingListed, lobbywire.StandingUnconfirmed:
		l.listing.Over(ctx, l.Server.Logger, "the master answers", l.attr())
	case lobbywire.StandingStarting, lobbywire.StandingLeft:
	default:
		if s.Err != was.Err {
			l.listing.Failed(ctx, l.Server.Logger, "server not listed", s.Err, l.attr())
		}
	}
}

// patience is how long the loop waits to hear from a master for the first time if its name has
// other addresses.
const patience = 8 * time.Second

// isDeaf reports whether the master has been silent for so long that the next address of the name
// is tried. Each address is tried once, because some masters never send anything. After that only
// the Status decides that a master is silent.
func (l *loop[T]) isDeaf() bool {
	if !l.heard().IsZero() {
		l.tried = 0
	}
	return l.mayBeDeaf() && time.Since(l.begun) >= patience
}

// mayBeDeaf reports whether isDeaf will report true if nothing is heard.
func (l *loop[T]) mayBeDeaf() bool {
	return l.to.IsValid() && l.heard().IsZero() && len(l.addrs) > 1 && l.tried < len(l.addrs)
}

// look starts a lookup if one is due, and returns next or an earlier time at which
// something else is due.
func (l *loop[T]) look(ctx context.Context, next time.Time) time.Time {
	if l.mayBeDeaf() {
		next = earlier(next, l.begun.Add(patience))
	}
	if l.name.found != nil {
		return next
	}
	urgent := !l.to.IsValid() || l.isSilent()
	due := l.name.next(urgent, l.heard())
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

// heard returns when something last came from the master.
func (l *loop[T]) heard() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Heard
}

func (l *loop[T]) isSilent() bool { return l.Status.Get().Standing == lobbywire.StandingSilent }

// follow handles the result of a lookup. After a failure, the last address stays. If the name
// has another address, it sends a goodbye to the old one, where the master may still run.
func (l *loop[T]) follow(ctx context.Context, f found) {
	addrs, err := l.name.masters(f)
	if err != nil {
		l.lookups.Failed(ctx, l.Server.Logger, "the name of the master is not found", err, l.attr())
		if !l.to.IsValid() {
			l.beginAt(l.to, err)
		}
		return
	}
	l.lookups.Over(ctx, l.Server.Logger, "the name of the master is found", l.attr())
	if !sameAddrs(addrs, l.addrs) {
		l.addrs, l.tried = addrs, 0
	}
	leaves := l.to.IsValid() && l.isSilent() && (l.tried < len(addrs) || time.Since(l.begun) >= lookupEvery)
	if leaves {
		l.tried++
	}
	if master := l.name.choose(addrs, l.to, leaves); master != l.to {
		l.moveTo(ctx, master)
	}
}

// sameAddrs reports whether two lookups have found the same addresses, in any order.
func sameAddrs(a, b []netip.Addr) bool {
	return slices.Equal(slices.SortedFunc(slices.Values(a), netip.Addr.Compare),
		slices.SortedFunc(slices.Values(b), netip.Addr.Compare))
}

// moveTo leaves the current master, if there is one, and starts over with another one.
func (l *loop[T]) moveTo(ctx context.Context, master netip.AddrPort) {
	if l.to.IsValid() && l.Server.Logger != nil {
		level := slog.LevelInfo
		if slices.Contains(l.addrs, l.to.Addr()) {
			level = slog.LevelDebug // repeats while no address of the name answers
		}
		l.Server.Logger.LogAttrs(ctx, level, "another address of the master is used", l.attr(),
			slog.String("from", l.to.String()), slog.String("to", master.String()))
	}
	l.sayGoodbye()
	l.beginAt(master, nil)
}

// beginAt starts over with a master, or without one because of err.
func (l *loop[T]) beginAt(master netip.AddrPort, err error) {
	l.to, l.begun = master, time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begin(master, err)
}

// sayGoodbye takes the server off the list of the current master, if there is one.
func (l *loop[T]) sayGoodbye() {
	l.b = l.leave(l.b[:0])
	if len(l.b) > 0 {
		_ = l.write()
	}
}

// end leaves the master and ends the lookup that runs.
func (l *loop[T]) end() {
	l.sayGoodbye()
	l.Status.Set(lobbywire.StandingLeft, nil)
	l.Status.Tell(l.Changed)
	if l.name != nil {
		l.name.stop()
	}
}

// write sends the last datagram to the master.
func (l *loop[T]) write() error {
	_, err := l.Conn.WriteTo(l.b, net.UDPAddrFromAddrPort(l.to))
	if err != nil && l.Server.Logger != nil {
		l.Server.Logger.LogAttrs(context.Background(), slog.LevelDebug, "sending to the master failed", l.attr(),
			slog.Any("error", err))
	}
	return err
}

func (l *loop[T]) attr() slog.Attr { return slog.String("master", l.Addr) }
