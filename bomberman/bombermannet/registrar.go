package bombermannet

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// A Registrar keeps a game server in the list of one management server: Run keeps a
// connection open and sends the latest state from Set. If it cannot connect or the
// connection ends, it connects and registers again, after about a second and then
// about twice as long each time, up to 90 s. A management server cannot report that
// it has discarded a message; fetch its list to check.
//
// Addr must be set; fields must not change while Run runs.
type Registrar struct {
	Addr string // of the management server, host:port

	// Every is the minimum time between two messages. Calls of Set in between
	// cause only one message, with the latest state. 0 or a negative value
	// means 1 s.
	Every time.Duration

	// Dial connects, for example over TLS; nil means plain TCP from the address of ListensAt.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// Changed, unless nil, is called by Run when Status has changed. Run waits for it, so
	// it must not call Close.
	Changed func(lobbywire.RegistrationStatus)

	// Logger logs why the management server cannot be reached, once for each reason, and
	// when a connection lasts. nil is silent.
	Logger *slog.Logger

	once    sync.Once
	every   time.Duration
	changed lifecycle.Signal
	now     atomic.Pointer[announcement]
	local   stream.Local

	runner  lifecycle.Runner
	trouble lifecycle.Trouble // only Run uses it
	status  lifecycle.Status

	connects   atomic.Uint64
	failures   atomic.Uint64
	sentFrames atomic.Uint64
}

// An announcement is an entry for the list, with the frames of the messages that describe
// it.
type announcement struct {
	entry            bomberman.Server
	register, update []byte
}

// Times of a Registrar.
const (
	minRetry = time.Second
	maxRetry = time.Minute
	steady   = time.Minute     // a connection that lasts this long counts as a success
	stands   = 5 * time.Second // a connection that lasts this long has not been refused
	dialTime = 10 * time.Second
)

// Errors of Run.
var (
	errNoAddr = errors.New("bombermannet: a Registrar needs the Addr of a management server")
	errNoSet  = errors.New("bombermannet: a Registrar needs Set with the address of the game before Run")
)

func (r *Registrar) init() {
	r.every = cmp.Or(max(r.Every, 0), time.Second)
}

// Set replaces the entry for the list. It may be called at any time, whenever
// something changes. It fails if a management server would discard the entry, see
// [bomberman.Server.Check]; on error, the entry is unchanged. Extra is not sent.
func (r *Registrar) Set(s bomberman.Server) error {
	r.once.Do(r.init)
	register, err := bomberman.AppendMessage(nil, bomberman.RegisterGameServer{
		ServerName: s.Name, ServerAddress: s.Address, ServerPort: s.Port,
	})
	if err != nil {
		return err
	}
	update, err := bomberman.AppendMessage(nil, bomberman.UpdateGameServerStats{
		Players:     bomberman.PlayerCount{Current: s.Players.Current, Max: s.Players.Max},
		IsLobbyOpen: s.IsLobbyOpen, GameplayMode: s.GameplayMode,
	})
	if err != nil {
		return err
	}
	r.now.Store(&announcement{s, register, update})
	r.changed.Send()
	return nil
}

// ListensAt sets the address of the game's listener, before Run. If it is an address of one
// network interface, the Registrar connects from there if it can, because a management
// server may compare the address of the connection with the listed one. It has no effect if
// Dial is set.
func (r *Registrar) ListensAt(addr net.Addr) { r.local.Set(addr) }

// Run keeps the game server in the list until ctx is done or Close is called, and then
// unregisters it. Run fails at once if Addr is empty, or if neither Set nor SetView has set
// a valid address and port. Only one Run may run at a time. The error is never nil;
// otherwise it is the cause of ctx, or [lobbywire.ErrClosed].
func (r *Registrar) Run(ctx context.Context) error {
	r.once.Do(r.init)
	return r.runner.Run(ctx, r.run)
}

func (r *Registrar) run(ctx context.Context) error {
	switch {
	case r.Addr == "":
		return errNoAddr
	case r.now.Load() == nil:
		return errNoSet
	}
	r.stand(lobbywire.StandingStarting, nil)
	defer r.stand(lobbywire.StandingLeft, nil)
	backoff := stream.Backoff{Min: minRetry, Max: maxRetry, Steady: steady}
	return backoff.Keep(ctx, r.hold, func(err error, pause time.Duration) {
		r.failures.Add(1)
		r.trouble.Failed(ctx, r.Logger, "the management server is not reached", err, slog.String("master", r.Addr),
			slog.Duration("retry", pause))
		err = stream.Outcome(err)
		r.stand(lifecycle.StandingAfter(err), err)
	})
}

// stand changes the status.
func (r *Registrar) stand(s lobbywire.Standing, err error) {
	r.status.Set(s, err)
	r.status.Tell(r.Changed)
}

// Status says whether the game server is listed. While there is a connection, Run assumes
// that it is: at once for the first attempt, and after 5 s if an attempt has failed before.
func (r *Registrar) Status() lobbywire.RegistrationStatus { return r.status.Get() }

// hold keeps the game server in the list while one connection lasts.
func (r *Registrar) hold(ctx context.Context) error {
	dialing, cancel := context.WithTimeout(ctx, dialTime)
	c, err := stream.Dial(dialing, r.local.Or(r.Dial), r.Addr, stream.Limits{
		First: forever, Frame: forever, Idle: forever, Write: 10 * time.Second, MaxFrame: 1 << 10,
	})
	cancel()
	if err != nil {
		return err
	}
	r.connects.Add(1)
	ended := make(chan error, 1)
	gone, leave := context.WithCancel(ctx)
	go func() {
		err := drain(c)
		leave()
		ended <- err
	}()
	err = r.announce(ctx, gone, c)
	c.Close()
	return cmp.Or(err, <-ended)
}

// drain reads until the connection ends, and discards the input: a management
// server has no messages for game servers.
func drain(c *stream.Conn) error {
	_, err := stream.Next(c, func([]byte) (struct{}, []byte, error) {
		return struct{}{}, nil, lobbywire.ErrTruncated
	})
	return err
}

// announce sends changes until gone is done. If ctx is also done, it
// unregisters the game server. Its error is a write error.
func (r *Registrar) announce(ctx, gone context.Context, c *stream.Conn) error {
	told := new(announcement)
	lasts := time.After(stands)
	for {
		changed, paused := r.changed.C(), (<-chan time.Time)(nil)
		now := r.now.Load()
		if b := now.since(told); len(b) > 0 {
			stop := c.EndWith(gone)
			_, err := c.Write(b)
			if !stop() || err != nil {
				return err
			}
			told = now
			r.sentFrames.Add(1)
			changed, paused = nil, time.After(r.every)
			if r.Status().Standing == lobbywire.StandingStarting {
				r.stand(lobbywire.StandingListed, nil)
			}
		}
		select {
		case <-changed:
		case <-paused:
		case <-lasts:
			r.stand(lobbywire.StandingListed, nil)
			r.trouble.Over(ctx, r.Logger, "the management server is reached", slog.String("master", r.Addr))
		case <-gone.Done():
		}
		if ctx.Err() != nil {
			b, _ := bomberman.AppendMessage(nil, bomberman.UnregisterGameServer{})
			_, err := c.Write(b)
			return err
		}
		if gone.Err() != nil {
			return nil
		}
	}
}

// since returns the messages for a peer whose last announcement was told.
func (a *announcement) since(told *announcement) []byte {
	switch {
	case string(a.register) != string(told.register):
		return slices.Concat(a.register, a.update)
	case string(a.update) != string(told.update):
		return a.update
	}
	return nil
}

// RegistrarStats counts the work of a Registrar since its creation.
type RegistrarStats struct {
	Connects uint64 // connections made
	Failures uint64 // connections that ended or failed
	Sent     uint64 // registrations and updates
}

// Stats returns a snapshot of the counters.
func (r *Registrar) Stats() RegistrarStats {
	return RegistrarStats{
		Connects: r.connects.Load(),
		Failures: r.failures.Load(),
		Sent:     r.sentFrames.Load(),
	}
}

// Close ends Run and waits until it has returned. Run fails after that.
func (r *Registrar) Close() error { return r.runner.Close() }
