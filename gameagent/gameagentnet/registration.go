package gameagentnet

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/internal/registration"
)

// Times of a Registration.
const (
	heartbeatEvery = 150 * time.Second
	firstRetry     = 3 * time.Second // of a join; doubles, up to heartbeatEvery
	repeatAfter    = 5 * time.Second // of the answer to a challenge
	changeEvery    = time.Second     // minimum
)

// A Registration keeps a Server in the list of one master. Either call Run, or,
// in a game with a loop of its own, call Tick and, at the end, Leave.
//
// To a native master it sends a join. While no challenge arrives, it repeats the
// join after 3 s, and then with twice the delay each time. Respond answers
// challenges. The answer is repeated after 5 s, because nothing confirms that it
// has arrived. Then a heartbeat follows every 150 s. If the master has forgotten
// the server, for example after a restart, it answers the next heartbeat with a
// challenge and lists the server again.
//
// To a legacy master it sends a heartbeat at once and every 150 s. Leave sends
// the last one.
//
// Server and Addr must be set, and for Run also Conn; fields must not change
// after that.
type Registration struct {
	// Server is the server to list. Its Respond answers the master's challenges.
	Server *Server

	// Addr is the address of the master, host:port. The host is an IPv4 address,
	// because lists contain no others, or for Run a name that has one, now or later. Run
	// looks up the name again every 45 to 150 s, and sooner while it is not found or a native
	// master is silent. If the name no longer has the address in use, or the master there is
	// silent and the name has others, Run leaves that address and registers at another one.
	// Some legacy masters never send anything: if none of the addresses is heard within 8 s,
	// Run returns to the first one and stays. If a lookup fails, the address stays.
	Addr string

	// Legacy means that the master uses the legacy form, as the engine does by default.
	Legacy bool

	// Conn is the socket on which the Server serves. Run sends from it, because
	// the master identifies a server by the source address of its datagrams. Run
	// does not close it. It must be able to send to IPv4 addresses.
	Conn net.PacketConn

	runner registration.Runner

	mu        sync.Mutex
	master    netip.AddrPort // not valid before the first Tick
	left      bool
	next      time.Time // of the next join or heartbeat; zero before the first
	retry     time.Duration
	repeat    time.Time
	challenge int32     // the one whose answer is repeated then
	changed   bool      // a change is to be reported
	reported  time.Time // when a change was last reported
	heard     time.Time // when something last came from the address of the master
	stats     RegistrationStats
}

// RegistrationStats describes a [Registration] since its creation.
type RegistrationStats struct {
	// Challenged reports whether the master has ever sent a challenge. If not, the
	// master is down, does not receive from this server, or uses the other form.
	// Challenges of the legacy form count only if the Server has a LegacyKey, and
	// not all legacy masters send them.
	Challenged bool

	Sent uint64 // datagrams to the master

	// Err is the reason why Tick sends nothing: there is no Server, or Addr is
	// invalid or, during Run, a name that has no address. If Err wraps
	// [lobbywire.ErrTimeout], a native master has not answered the first join. Err is nil
	// before the first Tick.
	Err error
}

// Stats returns a snapshot.
func (r *Registration) Stats() RegistrationStats {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.stats
	s.Err = cmp.Or(r.runner.NotFound(), s.Err)
	return s
}

// status returns how the Registration stands at its master.
func (r *Registration) status() registration.Status {
	s := r.Stats()
	r.mu.Lock()
	defer r.mu.Unlock()
	return registration.Status{Answered: s.Challenged, Err: s.Err, Heard: r.heard}
}

// Set replaces the state of the Server, as [Server.Set] does. It fails if there is
// no Server.
func (r *Registration) Set(state State) error {
	if r.Server == nil {
		return errNoServer
	}
	return r.Server.Set(state)
}

var errNoServer = errors.New("gameagentnet: a Registration needs a Server")

// Run keeps the server listed until ctx is done, Close is called or the Server
// ends. Then it calls Leave. Run can be called again after that. [Server.Serve]
// must run on Conn to answer challenges.
//
// The error is never nil. It is the error of ctx, [lobbywire.ErrClosed], or an
// error of Conn or Addr. A name that is not found is no such error: Stats returns it, and the
// Logger of the Server logs it, as it logs that a native master is silent.
func (r *Registration) Run(ctx context.Context) error {
	if r.Server == nil || r.Conn == nil {
		return errors.New("gameagentnet: a Registration needs a Server and a Conn to run")
	}
	return r.runner.Run(ctx, &r.Server.registrations, r, registration.Settings{
		Addr: r.Addr, Conn: r.Conn, Logger: r.Server.Logger, Begin: r.begin, Status: r.status,
	})
}

// begin starts over with a master.
func (r *Registration) begin(master netip.AddrPort) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.beginLocked(master)
}

func (r *Registration) beginLocked(master netip.AddrPort) {
	r.master = master
	r.left, r.next, r.retry, r.repeat, r.heard = false, time.Time{}, firstRetry, time.Time{}, time.Time{}
	r.stats.Challenged, r.stats.Err = false, nil
	r.Server.masters.Put(r, master)
}

// Close ends Run and waits until it has returned.
func (r *Registration) Close() error { return r.runner.Close() }

// Master returns the address to which to send the result of Tick. It fails if
// Addr is not an IPv4 address with a port. If Addr has a host name, its address
// is known only during Run.
func (r *Registration) Master() (netip.AddrPort, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.master.IsValid() {
		return r.master, nil
	}
	return registration.MasterAddr(r.Addr)
}

// challenged records a challenge that is being answered.
func (r *Registration) challenged(challenge int32, now time.Time) {
	r.mu.Lock()
	if !r.stats.Challenged {
		r.stats.Challenged, r.stats.Err = true, nil
		r.next = now.Add(heartbeatEvery)
	}
	r.challenge = challenge
	r.repeat = now.Add(repeatAfter)
	r.stats.Sent++
	r.mu.Unlock()
	r.runner.Changed.Send()
}

// hear records that something has come from the address of the master.
func (r *Registration) hear(now time.Time) {
	r.mu.Lock()
	first := r.heard.IsZero()
	r.heard = now
	r.mu.Unlock()
	if first {
		r.runner.Changed.Send()
	}
}

// secured records the challenge of a legacy master.
func (r *Registration) secured() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stats.Challenged = true
}

// stateChanged records that a change is to be reported.
func (r *Registration) stateChanged() {
	r.mu.Lock()
	r.changed = true
	r.mu.Unlock()
	r.runner.Changed.Send()
}
