package gamespy2net

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/registration"
)

// A Registration keeps a server in the list of one master. With a [Server], call Run;
// Respond of the Server answers the datagrams of the master. A game with a loop of its
// own calls Tick and, at the end, Leave, and passes received datagrams to Respond of the
// Server or, without a Server, of the Registration.
//
// A Registration behaves like the GameSpy SDK. It first asks whether the game is
// available, at most twice in 4 s, and again after 5 minutes if it is not. It sends up to
// 4 first heartbeats, one every 10 s, until the master answers. Then it sends one every
// minute, or earlier if the state has changed, but not within 10 s, and keepalives every
// 20 s between them. Unlike the SDK, it also sends a heartbeat when a master that has
// answered keepalives no longer does. It answers challenges and acknowledges messages of clients. If the
// master refuses the server, it stops, and Stats returns the reason.
//
// Addr, Game and Key must be set, and for Run also Server and Conn; fields
// must not change after that.
type Registration struct {
	// Server is the server to list; heartbeats report its state. nil means that the game
	// answers queries itself, and passes the state for heartbeats to Registration.Set.
	Server *Server

	// Addr is the address of the master, host:port. The host is an IPv4 address,
	// because lists contain no others, or for Run a name that has one, now or later. Run
	// looks up the name again every 45 to 150 s, and sooner while it is not found or the master
	// is silent. If it no longer has the address in use, or the master there is silent, or has
	// not been heard within 8 s, and the name has others, Run leaves that address and registers
	// at another one. If a lookup fails, the address stays.
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

	// Conn is the socket on which the Server serves. Run sends from it, because
	// the master identifies a server by the source address of its datagrams. Run
	// does not close it. It must be able to send to IPv4 addresses.
	Conn net.PacketConn

	runner registration.Runner
	own    atomic.Pointer[reported] // without a Server

	mu    sync.Mutex
	stats RegistrationStats
	session
}

// A session is the state of a Registration since Run or the first Tick.
type session struct {
	master   netip.AddrPort // not valid before the first Tick
	instance [4]byte        // the instance key
	phase    phase
	sent     int       // requests or first heartbeats in this phase
	next     time.Time // of the next request or heartbeat; zero before the first
	last     time.Time // heartbeat or keepalive
	beaten   time.Time // last heartbeat
	changed  bool      // a change is to be reported

	answersAlive bool      // the master has answered a keepalive
	unanswered   time.Time // keepalive, if the master answers them; zero if there is none

	heard time.Time // when something last came from the master

	messages [recentMessages]uint32
	received uint64 // messages that are not repetitions
}

// A phase is the phase of a Registration.
type phase int

const (
	phaseAsking   phase = iota // asks whether the game is available
	phaseStarting              // sends the first heartbeats, until the master answers
	phaseListed                // listed, or trying to be
	phaseLeft                  // does nothing more
)

// recentMessages is the number of client messages whose repetitions are recognized, as in
// the SDK.
const recentMessages = 10

// RegistrationStats describes a [Registration] since its creation.
type RegistrationStats struct {
	Challenged bool // the master has sent a challenge since Run or the first Tick
	Registered bool // the master has said that it lists the server

	Sent uint64 // datagrams to the master

	// Err is the reason why the server is not listed: Addr is invalid or, during Run, a name
	// that has no address, the game is not available, or the master refuses the server. If
	// Err wraps [lobbywire.ErrTimeout], the master has not answered the first heartbeats, or
	// no longer answers keepalives. Err is nil before the first Tick.
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
	r.own.Store(&own)
	return nil
}

// Run keeps the server listed until ctx is done, Close is called or the Server
// ends. Then it removes the server from the list. Run can be called again after
// that. [Server.Serve] must run on Conn to answer challenges.
//
// The error is never nil. It is the error of ctx, [lobbywire.ErrClosed], or an
// error of Conn or Addr. A name that is not found is no such error: Stats returns it, and the
// Logger of the Server logs it, as it logs that the master refuses the server or is silent.
func (r *Registration) Run(ctx context.Context) error {
	if r.Server == nil || r.Conn == nil {
		return errors.New("gamespy2net: a Registration needs a Server and a Conn to run")
	}
	return r.runner.Run(ctx, &r.Server.registrations, r, registration.Settings{
		Addr: r.Addr, Conn: r.Conn, Logger: r.Server.Logger,
		Begin: func(master netip.AddrPort) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.beginLocked(master)
		},
		Status: r.status,
	})
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

// beginLocked starts over with a master, like a server that has just started.
func (r *Registration) beginLocked(master netip.AddrPort) {
	r.session = session{master: master}
	rand.Read(r.instance[:])
	r.stats.Challenged, r.stats.Registered, r.stats.Err = false, false, nil
	if r.Server != nil {
		r.Server.masters.Put(r, master)
	}
}

// enter begins a phase.
func (r *Registration) enter(p phase) { r.phase, r.sent, r.next = p, 0, time.Time{} }

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
		return &r.Server.state.Load().reported
	}
	if own := r.own.Load(); own != nil {
		return own
	}
	return new(reported)
}
