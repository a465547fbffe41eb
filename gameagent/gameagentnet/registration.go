package gameagentnet

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/registration"
)

// A Form is one of the two forms of the protocol.
type Form int

// The forms.
const (
	FormNative Form = iota // GameAgent's own
	FormLegacy             // that of GameSpy, which the engine speaks by default
)

// String returns "native" or "legacy".
func (f Form) String() string {
	if f == FormLegacy {
		return "legacy"
	}
	return "native"
}

// A Registration keeps a Server in the list of one master. Either Run does
// everything, or a game with a loop of its own calls Tick and, at the end, Leave.
//
// To a native master it sends a join, again after 3 s and then twice as long
// each time while no challenge arrives; Respond answers challenges. The answer is
// sent once more after 5 s, because nothing confirms that it arrived. Then a
// heartbeat follows every 150 s. A master that has forgotten the server, or that
// was down, answers one with a challenge, and so lists it again.
//
// To a legacy master it sends a heartbeat at once and every 150 s, and a last
// one from Leave.
//
// Server and Addr must be set, and for Run also Conn; fields must not change
// after that.
type Registration struct {
	// Server is the server to list. Its Respond answers the master's challenges.
	Server *Server

	// Addr is the address of the master, host:port. The host is an IPv4 address,
	// because lists hold no others, or for Run a name that has one.
	Addr string

	// Form is the form of the protocol that the master speaks.
	Form Form

	// Conn is the socket on which the Server serves. Run sends from it, because
	// the master knows a server by the address that its datagrams come from, and
	// does not close it. It must be able to send to IPv4 addresses.
	Conn net.PacketConn

	once   sync.Once
	wake   chan struct{} // of Run, when Next changes
	runner lifecycle.Runner

	mu        sync.Mutex
	master    netip.AddrPort // not valid before the first Tick
	left      bool
	next      time.Time // of the next join or heartbeat; zero before the first
	retry     time.Duration
	repeat    time.Time
	challenge int32     // to repeat then
	changed   bool      // the master is to receive a change
	told      time.Time // when it last received one
	stats     RegistrationStats
}

// RegistrationStats describe a [Registration] since it was made.
type RegistrationStats struct {
	// Challenged reports whether the master has ever sent a challenge. If not,
	// it is down, does not receive from this server, or speaks the other form.
	// Challenges of the legacy form are noticed only if the Server has a LegacyKey,
	// and not all legacy masters send them.
	Challenged bool

	Sent   uint64 // datagrams for the master
	Failed uint64 // datagrams that the system refused to send for Run

	// Err is why Tick sends nothing: there is no Server, or Addr is not the address
	// of a master. It is nil before the first Tick.
	Err error
}

// Stats returns a snapshot.
func (r *Registration) Stats() RegistrationStats {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stats
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

// Run sends to the master until ctx is done, or Close or the end of the Server
// ends it. Then it leaves. It can be called again after that. [Server.Serve] must
// run on Conn for challenges to be answered.
//
// Its error is never nil: that of ctx, [lobbywire.ErrClosed], what closed Conn,
// or what is wrong with Addr.
func (r *Registration) Run(ctx context.Context) error {
	if r.Server == nil || r.Conn == nil {
		return errors.New("gameagentnet: a Registration needs a Server and a Conn to run")
	}
	return r.runner.Run(ctx, func(ctx context.Context) error {
		return r.Server.registrations.Run(ctx, r.run)
	})
}

// Close ends Run and returns when it has returned.
func (r *Registration) Close() error { return r.runner.Close() }

func (r *Registration) run(ctx context.Context) error {
	master, err := registration.Resolve(ctx, r.Addr, func(err error) { r.debug(ctx, "the master was not found", err) })
	if err != nil {
		return err
	}
	r.begin(master)
	loop := registration.Loop{Conn: r.Conn, Master: master, Wake: r.wake, Failed: func(err error) {
		r.mu.Lock()
		r.stats.Failed++
		r.mu.Unlock()
		r.debug(ctx, "sending to the master failed", err)
	}}
	return loop.Run(ctx, r)
}

// Master returns the address to which the result of Tick is sent. It fails if
// Addr is not an IPv4 address with a port; the address of a name is known only
// while Run runs.
func (r *Registration) Master() (netip.AddrPort, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.master.IsValid() {
		return r.master, nil
	}
	return registration.MasterAddr(r.Addr)
}

func (r *Registration) debug(ctx context.Context, msg string, err error) {
	if r.Server.Logger != nil {
		r.Server.Logger.LogAttrs(ctx, slog.LevelDebug, msg, slog.String("master", r.Addr), slog.Any("error", err))
	}
}
