// Package registration contains the code that all registrations with masters over UDP
// share.
package registration

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/lifecycle"
)

// A Task makes the datagrams for a master. Its methods are called with the lock of the Runner held.
type Task interface {
	Begin()                                // starts over with a master
	Due() time.Time                        // when Send may have a datagram
	Send(now time.Time, dst []byte) []byte // appends the datagram to send now, if there is one
	Goodbye(dst []byte) []byte             // appends the last datagram, if there is one
	Standing() (lobbywire.Standing, error) // of the server, if Err of the Runner is nil
}

// A Runner runs a Task, either by Run or by the calls of a game with a loop of its own. Its zero
// value is ready for Start.
type Runner[T Task] struct {
	Task    T
	Server  *Server[T]
	Alone   bool   // Tick needs no Server
	Addr    string // of the master, host:port
	Conn    net.PacketConn
	Changed func(lobbywire.RegistrationStatus) // gets the Status if it has changed; nil ignores it
	Lookup  Lookup                             // looks up the names of masters; nil means the one of [net.DefaultResolver]

	Status lifecycle.Status
	Sent   atomic.Uint64    // datagrams to the master
	Wake   lifecycle.Signal // must be sent when Due has changed, unless by Update

	// Err and Heard are for the Task and for functions that Update calls.
	Err   error     // why the master does not list the server
	Heard time.Time // when something last came from the master; zero if nothing has

	once   sync.Once
	life   lifecycle.Runner
	mu     sync.Mutex     // guards Err, Heard, what follows, and the Task
	master netip.AddrPort // not valid before the first Tick, and before the name is found
	left   bool
}

// ErrNoServer is the error of a registration that lacks its server.
var ErrNoServer = errors.New("lobbywire: a Registration needs a Server")

// Start calls set, which sets the fields, if it has not been called before. It returns r.
func (r *Runner[T]) Start(set func()) *Runner[T] {
	r.once.Do(set)
	return r
}

// Master returns the address of the master, also before Start. It fails if addr is not one and its
// address is not known.
func (r *Runner[T]) Master(addr string) (netip.AddrPort, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.master.IsValid() {
		return r.master, nil
	}
	return MasterAddr(addr)
}

// IsAt reports whether datagrams are sent to a master with this address.
func (r *Runner[T]) IsAt(master netip.AddrPort) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.master.IsValid() && r.master == master
}

// Next returns when Tick may have a datagram or a Status for Changed.
func (r *Runner[T]) Next() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.Changed != nil && r.Status.HasNews():
		return time.Time{}
	case r.left:
		return time.Now().Add(lookupEvery)
	}
	return r.Task.Due()
}

// Tick appends the datagram to send now, if there is one.
func (r *Runner[T]) Tick(now time.Time, dst []byte) []byte {
	if r.Server != nil && !now.Before(r.Next()) {
		r.Server.Demand(time.Now())
	}
	dst = r.step(now, dst)
	r.Status.Tell(r.Changed)
	return dst
}

func (r *Runner[T]) step(now time.Time, dst []byte) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.note()
	if r.left {
		return dst
	}
	if !r.master.IsValid() {
		master, err := MasterAddr(r.Addr)
		if r.Server == nil && !r.Alone {
			err = ErrNoServer
		}
		if r.Err = err; err != nil {
			return dst
		}
		r.begin(master, nil)
	}
	return r.count(dst, r.Task.Send(now, dst))
}

// count counts the datagram that was appended to dst, if there is one, and returns the result.
func (r *Runner[T]) count(dst, appended []byte) []byte {
	if len(appended) > len(dst) {
		r.Sent.Add(1)
	}
	return appended
}

// Leave appends the last datagram, if there is one. Tick then appends nothing more.
func (r *Runner[T]) Leave(dst []byte) []byte {
	dst = r.leave(dst)
	r.Status.Set(lobbywire.StandingLeft, nil)
	r.Status.Tell(r.Changed)
	return dst
}

func (r *Runner[T]) leave(dst []byte) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	wasLeft := r.left
	r.left = true
	if wasLeft || !r.master.IsValid() {
		return dst
	}
	if r.Server != nil {
		r.Server.setMaster(r, netip.AddrPort{})
	}
	return r.count(dst, r.Task.Goodbye(dst))
}

// Run sends the datagrams of the Task until ctx is done, the Server or the Runner ends, or
// the socket is closed. Then it sends the last one. If the name of the master gets another address,
// it leaves the old one and starts over at the new one. The error is the cause of
// ctx, an error of the socket or of Addr, or [lobbywire.ErrClosed].
func (r *Runner[T]) Run(ctx context.Context) error {
	if r.Server == nil || r.Conn == nil {
		return errors.New("lobbywire: a Registration needs a Server and a Conn to run")
	}
	return r.life.Run(ctx, func(ctx context.Context) error {
		return r.Server.running.Run(ctx, func(ctx context.Context) error {
			master, name, err := parse(r.Addr, r.Lookup)
			if err != nil {
				return err
			}
			l := loop[T]{Runner: r, name: name}
			defer l.end()
			l.beginAt(master, nil)
			return l.run(ctx)
		})
	})
}

// Close ends Run and returns when it has returned.
func (r *Runner[T]) Close() error { return r.life.Close() }

// Update calls change, which changes the Task, Err or Heard.
func (r *Runner[T]) Update(change func()) {
	r.mu.Lock()
	change()
	r.note()
	r.mu.Unlock()
	r.Wake.Send()
}

// hear records that something has come from the address of the master.
func (r *Runner[T]) hear(now time.Time) {
	r.mu.Lock()
	first := r.Heard.IsZero()
	r.Heard = now
	r.mu.Unlock()
	if first {
		r.Wake.Send()
	}
}

// begin starts over with a master, with the lock held. If it is not valid, the name of the master
// has no address, not yet if err is nil.
func (r *Runner[T]) begin(master netip.AddrPort, err error) {
	r.master, r.left, r.Err, r.Heard = master, false, err, time.Time{}
	r.Task.Begin()
	r.note()
	if r.Server != nil {
		r.Server.setMaster(r, master)
	}
}

// note sets the Status, with the lock held.
func (r *Runner[T]) note() {
	switch {
	case r.left:
		r.Status.Set(lobbywire.StandingLeft, nil)
	case r.Err != nil:
		r.Status.Failed(r.Err)
	default:
		r.Status.Set(r.Task.Standing())
	}
}
