package gamespy1net

import (
	"context"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/registration"
)

// A Registration keeps a Server in the list of one master. Either call Run, or,
// in a game with a loop of its own, call Tick and, at the end, Leave.
//
// It sends a heartbeat at once and every 150 s. Respond of the Server answers the queries
// of the master and, with Key, its challenges. The Registration reports changes of the
// Server's state, except only of rules, scores and pings of players, to the master at most
// once a second. Leave sends the last heartbeat.
//
// Server and Addr must be set, and for Run also Conn; fields must not change
// after that.
type Registration struct {
	// Server is the server to list. Its Respond answers the master's challenges.
	Server *Server

	// Addr is the address of the master, host:port. The host is an IPv4 address, because
	// lists contain no others, or, for Run, the name of one, which need not exist yet. Run
	// looks up the name again every 45 to 150 s, and sooner while it is not found. If the
	// address in use no longer belongs to the name, Run leaves it and registers at another
	// one. Some masters never send anything: if the name has several addresses and none of
	// them answers within 8 s, Run returns to the first one and stays there. If a lookup
	// fails, the address stays.
	Addr string

	// Key is the secret key of the game. With it, the Server answers the challenges and
	// echoes of the master, including those within queries. "" answers none, like the
	// engine of Serious Sam, whose key is [gamespy1.SeriousSamKey].
	Key string

	// Changed, unless nil, is called when Status has changed, by Run or, in a game with a
	// loop of its own, by Tick and Leave. It receives only the last of several changes
	// since the previous call. It must not call Close.
	Changed func(lobbywire.RegistrationStatus)

	// Conn is the socket on which the Server serves. Run sends from it, because
	// the master identifies a server by the source address of its datagrams. Run
	// does not close it. It must be able to send to IPv4 addresses.
	Conn net.PacketConn

	runner registration.Runner[task] // guards what follows

	next         time.Time // of the next heartbeat; zero means now
	isAnnounced  bool      // a heartbeat was sent to the master
	isChallenged bool      // the master has sent a challenge that is answered
	changed      bool      // a change is to be reported
	reported     time.Time // when a change was last reported
}

func (r *Registration) start() *registration.Runner[task] {
	return r.runner.Start(func() {
		r.runner.Task = task{r}
		r.runner.Addr = r.Addr
		r.runner.Conn = r.Conn
		r.runner.Changed = r.Changed
		if r.Server != nil {
			r.runner.Server = r.Server.start()
		}
	})
}

// RegistrationStats counts the work of a [Registration] since its creation.
type RegistrationStats struct {
	Sent uint64 // datagrams to the master
}

// Stats returns a snapshot of the counters.
func (r *Registration) Stats() RegistrationStats { return RegistrationStats{r.runner.Sent.Load()} }

// Status says whether the master lists the server: it counts as listed once the master has
// sent a challenge and there is a Key. Until then it is Unconfirmed, because some masters
// send no challenges.
func (r *Registration) Status() lobbywire.RegistrationStatus { return r.runner.Status.Get() }

// Set replaces the state of the Server, as [Server.Set] does. It fails if there is
// no Server.
func (r *Registration) Set(status gamespy1.Status) error {
	if r.Server == nil {
		return registration.ErrNoServer
	}
	return r.Server.Set(status)
}

// Run keeps the server listed until ctx is done, Close is called or the Server ends. Then
// it calls Leave. Run can be called again after that. To answer challenges, [Server.Serve]
// must run on Conn, or the program that reads from Conn must call [Server.Respond].
//
// The error is never nil. It is the error of ctx, [lobbywire.ErrClosed], or an error of
// Conn or Addr. A name that is not found does not end Run: Status returns the error, and
// the Logger of the Server logs it.
func (r *Registration) Run(ctx context.Context) error { return r.start().Run(ctx) }

// Close ends Run and waits until it has returned.
func (r *Registration) Close() error { return r.runner.Close() }

// Master returns the address to which to send the result of Tick. It fails if Addr is not
// an IPv4 address with a port. The address of a host name is known only during Run.
func (r *Registration) Master() (netip.AddrPort, error) { return r.runner.Master(r.Addr) }

// Renew sends a heartbeat at once, for example because the master has restarted.
func (r *Registration) Renew() { r.start().Update(func() { r.next = time.Time{} }) }

// Next returns the time at which Tick next has something to send; the zero time
// means now. Set, SetView, Renew and Leave change it. After Leave, it is far in the future.
func (r *Registration) Next() time.Time { return r.start().Next() }

// Tick appends the next datagram to send to the address of Master now, if there is
// one. Call it again until it appends nothing. If there is no Server or Master
// fails, it appends nothing; Status returns the reason.
func (r *Registration) Tick(now time.Time, dst []byte) []byte { return r.start().Tick(now, dst) }

// Leave ends the Registration. It appends the datagram that removes the server from the list.
// Tick then appends nothing more.
func (r *Registration) Leave(dst []byte) []byte { return r.start().Leave(dst) }
