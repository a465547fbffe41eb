package gamespy1net

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/registration"
)

// Times of a Registration.
const (
	heartbeatEvery = 150 * time.Second
	changeEvery    = time.Second // minimum
)

// A Registration keeps a Server in the list of one master. Either call Run, or,
// in a game with a loop of its own, call Tick and, at the end, Leave.
//
// It sends a heartbeat at once and every 150 s. Respond of the Server answers the queries of the
// master and, with Key, its challenges. If the state of the Server changes in more than rules, scores
// and pings of players, it tells the master so, at most once a second. Leave sends the last
// heartbeat.
//
// Server and Addr must be set, and for Run also Conn; fields must not change
// after that.
type Registration struct {
	// Server is the server to list. Its Respond answers the master's challenges.
	Server *Server

	// Addr is the address of the master, host:port. The host is an IPv4 address,
	// because lists contain no others, or for Run a name that has one, now or later. Run
	// looks up the name again every 45 to 150 s, and sooner while it is not found. If the
	// name no longer has the address in use, Run leaves that address and registers at another
	// one. Some masters never send anything: if the name has several addresses and none of them
	// is heard within 8 s, Run returns to the first one and stays. If a lookup fails, the address
	// stays.
	Addr string

	// Key is the secret key of the game. With it, the Server answers the challenges and
	// echoes of the master, also those within queries. "" answers none, like the engine of Serious
	// Sam, whose key is [gamespy1.SeriousSamKey].
	Key string

	// Changed, unless nil, is called when Status has changed, by Run or, in a game with a loop of
	// its own, by Tick and Leave. Of several changes since the last call it gets the last. It must
	// not call Close.
	Changed func(lobbywire.RegistrationStatus)

	// Conn is the socket on which the Server serves. Run sends from it, because
	// the master identifies a server by the source address of its datagrams. Run
	// does not close it. It must be able to send to IPv4 addresses.
	Conn net.PacketConn

	runner registration.Runner
	status lifecycle.Status

	mu           sync.Mutex
	master       netip.AddrPort // not valid before the first Tick
	left         bool
	next         time.Time // of the next heartbeat; zero means now
	isAnnounced  bool      // the master was sent a heartbeat
	isChallenged bool      // the master has sent a challenge that is answered
	changed      bool      // a change is to be reported
	reported     time.Time // when a change was last reported
	heard        time.Time // when something last came from the address of the master
	err          error     // why there is no master
	sent         uint64    // datagrams to the master since the creation
}

// RegistrationStats has the counts of a [Registration] since its creation.
type RegistrationStats struct {
	Sent uint64 // datagrams to the master
}

// Stats returns a snapshot.
func (r *Registration) Stats() RegistrationStats {
	r.mu.Lock()
	defer r.mu.Unlock()
	return RegistrationStats{r.sent}
}

// Status says whether the master lists the server, which is so once it has sent a challenge. One
// that has not is Unconfirmed, because not all of them send challenges, and those that do count
// only if there is a Key.
func (r *Registration) Status() lobbywire.RegistrationStatus { return r.status.Get() }

var errUnconfirmed = errors.New("gamespy1net: the master has sent no challenge, which not all masters do")

// note sets the status.
func (r *Registration) note() {
	switch {
	case r.left:
		r.status.Set(lobbywire.StandingLeft, nil)
	case r.err != nil:
		r.status.Failed(r.err)
	case r.isChallenged:
		r.status.Set(lobbywire.StandingListed, nil)
	case r.isAnnounced:
		r.status.Set(lobbywire.StandingUnconfirmed, errUnconfirmed)
	default:
		r.status.Set(lobbywire.StandingStarting, nil)
	}
}

// lastHeard returns when something last came from the address of the master.
func (r *Registration) lastHeard() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.heard
}

// Set replaces the state of the Server, as [Server.Set] does. It fails if there is
// no Server.
func (r *Registration) Set(status gamespy1.Status) error {
	if r.Server == nil {
		return errNoServer
	}
	return r.Server.Set(status)
}

var errNoServer = errors.New("gamespy1net: a Registration needs a Server")

// Run keeps the server listed until ctx is done, Close is called or the Server
// ends. Then it calls Leave. Run can be called again after that. [Server.Serve]
// must run on Conn to answer challenges, or what serves there must call [Server.Respond].
//
// The error is never nil. It is the error of ctx, [lobbywire.ErrClosed], or an
// error of Conn or Addr. A name that is not found is no such error: Status returns it, and the
// Logger of the Server logs it.
func (r *Registration) Run(ctx context.Context) error {
	if r.Server == nil || r.Conn == nil {
		return errors.New("gamespy1net: a Registration needs a Server and a Conn to run")
	}
	return r.runner.Run(ctx, &r.Server.registrations, task{r}, registration.Settings{
		Addr: r.Addr, Conn: r.Conn, Logger: r.Server.Logger, Begin: r.begin,
		Status: &r.status, Changed: r.Changed, Heard: r.lastHeard,
	})
}

// begin starts over with a master. err is why there is none.
func (r *Registration) begin(master netip.AddrPort, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.beginLocked(master, err)
}

func (r *Registration) beginLocked(master netip.AddrPort, err error) {
	r.master, r.isAnnounced, r.isChallenged, r.err = master, false, false, err
	r.left, r.next, r.heard = false, time.Time{}, time.Time{}
	r.note()
	if master.IsValid() {
		r.Server.masters.Put(r, master)
	}
}

// A task leaves a master for another one.
type task struct{ *Registration }

func (t task) Leave(dst []byte) []byte { return t.leave(dst) }

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

// challenged records the challenge of a master.
func (r *Registration) challenged() {
	r.mu.Lock()
	r.isChallenged = true
	r.note()
	r.mu.Unlock()
	r.runner.Changed.Send()
}

// stateChanged records that a change is to be reported.
func (r *Registration) stateChanged() {
	r.mu.Lock()
	r.changed = true
	r.mu.Unlock()
	r.runner.Changed.Send()
}
