package gamespy2net

import (
	"context"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/registration"
)

// A Registration keeps a server in the list of one master. With a [Server], call Run;
// Respond of the Server answers the datagrams of the master. A game with a loop of its
// own calls Tick and, at the end, Leave, and passes received datagrams to Respond of the
// Server or, without a Server, of the Registration.
//
// A Registration behaves like the GameSpy SDK. It first asks whether the game is available,
// at most twice in 4 s, and again after 5 minutes if it is not. It sends up to 4 first
// heartbeats, one every 10 s, until the master answers. Then it sends one every minute, or
// earlier if the keys of the state have changed, but at most every 10 s, and keepalives
// every 20 s between them. Changes only of players and teams, which no list shows, wait for
// the next heartbeat. Unlike the SDK, it also sends a heartbeat when the master stops
// answering keepalives. It answers challenges and acknowledges messages of clients. If the
// master refuses the server, it stops.
//
// Addr, Game and Key must be set, and for Run also Server and Conn; fields
// must not change after that.
type Registration struct {
	// Server is the server to list; heartbeats report its state. nil means that the game
	// answers queries itself, and passes the state for heartbeats to Registration.Set.
	Server *Server

	// Addr is the address of the master, host:port. The host is an IPv4 address, because
	// lists contain no others, or, for Run, the name of one, which need not exist yet. Run
	// looks up the name again every 45 to 150 s, and sooner while it is not found or the
	// master is silent. If the address in use no longer belongs to the name, or if it is
	// silent, or has not answered within 8 s, and the name has others, Run leaves it and
	// registers at another one. If a lookup fails, the address stays.
	Addr string

	Game string // the name of the game at the master, such as "gmtest"
	Key  string // the secret key of the game

	// LocalAddrs are up to 5 addresses of the server in its own network, for clients
	// behind the same router. Only IPv4 addresses are useful. LocalPort is its query port
	// there; 0 means the port of Conn.
	LocalAddrs []netip.Addr
	LocalPort  uint16

	// NATNegotiation tells clients to reach the server by NAT negotiation. The
	// game must then handle ClientMessage.
	NATNegotiation bool

	// ClientMessage is called by Respond for each message of a client that the
	// master forwards, but not for repetitions. nil ignores messages.
	ClientMessage func(m qr2.ClientMessage)

	// Changed, unless nil, is called when Status has changed, by Run or, in a game with a
	// loop of its own, by Tick and Leave. It receives only the last of several changes
	// since the previous call. It must not call Close.
	Changed func(lobbywire.RegistrationStatus)

	// Conn is the socket on which the Server serves. Run sends from it, because
	// the master identifies a server by the source address of its datagrams. Run
	// does not close it. It must be able to send to IPv4 addresses.
	Conn net.PacketConn

	own    atomic.Pointer[reported] // without a Server
	runner registration.Runner[task]
	session
}

func (r *Registration) start() *registration.Runner[task] {
	return r.runner.Start(func() {
		r.runner.Task = task{r}
		r.runner.Alone = true
		r.runner.Addr = r.Addr
		r.runner.Conn = r.Conn
		r.runner.Changed = r.Changed
		if r.Server != nil {
			r.runner.Server = r.Server.start()
		}
	})
}

// A session is the state of a Registration at a master. The lock of the runner guards it.
type session struct {
	instance [4]byte // the instance key
	phase    phase
	tries    int       // requests or first heartbeats in this phase
	next     time.Time // of the next request or heartbeat; zero before the first
	last     time.Time // heartbeat or keepalive
	beaten   time.Time // last heartbeat
	told     *reported // the last one in a heartbeat

	isChallenged bool  // the master has sent a challenge
	isListed     bool  // the master has confirmed that it lists the server
	unfit        error // why the last heartbeat lacks keys

	answersAlive bool      // the master has answered a keepalive
	unanswered   time.Time // keepalive, if the master answers them; zero if there is none

	messages [recentMessages]uint32
	received uint64 // messages that are not repetitions
}

// A phase is the phase of a Registration.
type phase int

const (
	phaseAsking   phase = iota // asks whether the game is available
	phaseStarting              // sends the first heartbeats, until the master answers
	phaseListed                // listed, or trying to be
	phaseOver                  // refused or left: does nothing more
)

// recentMessages is the number of client messages whose repetitions are recognized, as in
// the SDK.
const recentMessages = 10

// RegistrationStats counts the work of a [Registration] since its creation.
type RegistrationStats struct {
	Sent uint64 // datagrams to the master
}

// Stats returns a snapshot of the counters.
func (r *Registration) Stats() RegistrationStats { return RegistrationStats{r.runner.Sent.Load()} }

// Status says whether the master lists the server, which the master confirms. An
// Unconfirmed server has been challenged; if it stays Unconfirmed, its Key may be wrong.
func (r *Registration) Status() lobbywire.RegistrationStatus { return r.runner.Status.Get() }

// Set calls [Server.Set] of the Server. Without a Server, it replaces the state in
// heartbeats.
func (r *Registration) Set(state State) error {
	if r.Server != nil {
		return r.Server.Set(state)
	}
	own := makeReported(state.Info, state.Players, state.Teams)
	if own.err != nil {
		return own.err
	}
	r.setOwn(own)
	return nil
}

// setOwn replaces the state in heartbeats.
func (r *Registration) setOwn(own *reported) {
	r.own.Store(own)
	r.runner.Wake.Send()
}

// Run keeps the server listed until ctx is done, Close is called or the Server
// ends. Then it removes the server from the list. Run can be called again after
// that. [Server.Serve] must run on Conn to answer challenges.
//
// The error is never nil. It is the error of ctx, [lobbywire.ErrClosed], or an error of
// Conn or Addr. A name that is not found does not end Run: Status returns the error, and
// the Logger of the Server logs it, as it logs that the master refuses the server or is
// silent.
func (r *Registration) Run(ctx context.Context) error { return r.start().Run(ctx) }

// Close ends Run and waits until it has returned.
func (r *Registration) Close() error { return r.runner.Close() }

// Master returns the address to which to send the result of Tick. It fails if Addr is not
// an IPv4 address with a port. The address of a host name is known only during Run.
func (r *Registration) Master() (netip.AddrPort, error) { return r.runner.Master(r.Addr) }

// Renew registers the server at once instead of with the next heartbeat, for example
// because the master has restarted. It has no effect after Leave or a refusal.
func (r *Registration) Renew() { r.start().Update(func() { r.next, r.tries = time.Time{}, 0 }) }

// Next returns the time at which Tick next has something to send; the zero time
// means now. Datagrams from the master, Set, SetView, Renew and Leave change it. After
// Leave, it is far in the future.
func (r *Registration) Next() time.Time { return r.start().Next() }

// Tick appends the next datagram to send to the address of Master now, if there
// is one. Call it again until it appends nothing. If Master fails or the master
// has refused the server, it appends nothing; Status returns the reason.
func (r *Registration) Tick(now time.Time, dst []byte) []byte { return r.start().Tick(now, dst) }

// Leave ends the Registration. If the master has received a heartbeat, Leave appends
// the datagram that removes the server from the list. Tick then appends nothing more.
func (r *Registration) Leave(dst []byte) []byte { return r.start().Leave(dst) }

// enter begins a phase.
func (r *Registration) enter(p phase) { r.phase, r.tries, r.next = p, 0, time.Time{} }

// localPort returns the query port.
func (r *Registration) localPort() uint16 {
	if r.LocalPort == 0 && r.Conn != nil {
		if a, ok := r.Conn.LocalAddr().(*net.UDPAddr); ok {
			return uint16(a.Port)
		}
	}
	return r.LocalPort
}

// reported returns the state that heartbeats report.
func (r *Registration) reported() *reported {
	if r.Server != nil {
		r.Server.start()
		return r.Server.state.Load().reported
	}
	if own := r.own.Load(); own != nil {
		return own
	}
	return new(reported)
}
