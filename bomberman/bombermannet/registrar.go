package bombermannet

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// A Registrar keeps a game server in the list of one management server: Run
// holds a connection, over which it tells what Set was told last. If the
// connection cannot be had or ends, it connects again, after half a second to
// one and a half, then about twice as long each time up to 90 s, and registers
// anew. A management server has no way to tell that it has dropped a message, so
// ask it for its list to be sure.
//
// Addr has to be set; fields must not change while Run runs.
type Registrar struct {
	Addr string // of the management server, host:port

	// Every is the least time between two messages. What Set was told meanwhile
	// is sent once, as it is then. 0 means 1 s.
	Every time.Duration

	// Dial connects, over TLS as it may be; nil is the system's.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	Logger *slog.Logger // nil is silent

	once    sync.Once
	logger  *slog.Logger
	every   time.Duration
	changed chan struct{} // wakes Run
	now     atomic.Pointer[announcement]

	runner lifecycle.Runner

	connected  atomic.Bool
	connects   atomic.Uint64
	failures   atomic.Uint64
	sentFrames atomic.Uint64
}

// An announcement is what to send of a game server, in frames.
type announcement struct{ register, update []byte }

// Times and sizes of a Registrar.
const (
	defaultEvery = time.Second
	minRetry     = time.Second
	maxRetry     = time.Minute
	steady       = time.Minute // after which a connection was no failure
	dialTime     = 10 * time.Second
)

// registrarLimits are for a peer that never has to send anything, and of which
// all is thrown away that it does.
func registrarLimits() stream.Limits {
	return stream.Limits{First: forever, Frame: forever, Idle: forever, Write: 10 * time.Second, MaxFrame: 1 << 10}
}

func (r *Registrar) init() {
	r.logger = cmp.Or(r.Logger, slog.New(slog.DiscardHandler))
	r.every = cmp.Or(r.Every, defaultEvery)
	r.changed = make(chan struct{}, 1)
}

// Set says what the list is to tell from now on. It fails, and changes nothing,
// if a management server has to drop that: see Check of [bomberman.Server].
// Extra is not sent. It may be called at any time and as often as something
// changes.
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
	r.now.Store(&announcement{register, update})
	select {
	case r.changed <- struct{}{}:
	default:
	}
	return nil
}

// Run keeps the game server in the list until ctx is done or Close is called;
// then it unregisters. Before the first Set it waits. One Run may run at a time.
// Its error is never nil: the cause of ctx, or [lobbywire.ErrClosed].
func (r *Registrar) Run(ctx context.Context) error {
	r.once.Do(r.init)
	return r.runner.Run(ctx, r.run)
}

func (r *Registrar) run(ctx context.Context) error {
	for r.now.Load() == nil {
		select {
		case <-r.changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	backoff := stream.Backoff{Min: minRetry, Max: maxRetry}
	for {
		began := time.Now()
		err := r.hold(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if time.Since(began) >= steady {
			backoff.Reset()
		}
		r.failures.Add(1)
		pause := backoff.Next()
		r.logger.LogAttrs(ctx, slog.LevelInfo, "management server not reached",
			slog.String("addr", r.Addr), slog.Any("error", err), slog.Duration("retry", pause))
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// hold keeps the game server in the list as long as one connection lasts.
func (r *Registrar) hold(ctx context.Context) error {
	dialing, cancel := context.WithTimeout(ctx, dialTime)
	c, err := stream.Dial(dialing, r.Dial, r.Addr, registrarLimits())
	cancel()
	if err != nil {
		return err
	}
	r.connects.Add(1)
	r.connected.Store(true)
	ended := make(chan error, 1)
	gone, leave := context.WithCancel(ctx)
	go func() {
		err := drain(c)
		leave()
		ended <- err
	}()
	err = r.announce(ctx, gone, c)
	r.connected.Store(false)
	c.Close()
	return cmp.Or(err, <-ended)
}

// drain reads until the connection ends, whatever it is: nothing that a
// management server sends is for a game server.
func drain(c *stream.Conn) error {
	_, err := stream.Next(c, func([]byte) (struct{}, []byte, error) {
		return struct{}{}, nil, lobbywire.ErrTruncated
	})
	return err
}

// announce sends what is new until gone is done, and takes the game server off
// the list if that is for the end of ctx. It returns an error of writing.
func (r *Registrar) announce(ctx, gone context.Context, c *stream.Conn) error {
	told := new(announcement)
	for {
		now := r.now.Load()
		if b := now.since(told); len(b) > 0 {
			stop := c.EndWith(gone)
			_, err := c.Write(b)
			if !stop() || err != nil {
				return err
			}
			told = now
			r.sentFrames.Add(1)
			select {
			case <-time.After(r.every):
			case <-gone.Done():
			}
		} else {
			select {
			case <-r.changed:
			case <-gone.Done():
			}
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

// since returns what to send to who was told something else before.
func (a *announcement) since(told *announcement) []byte {
	switch {
	case string(a.register) != string(told.register):
		return append(append([]byte(nil), a.register...), a.update...)
	case string(a.update) != string(told.update):
		return a.update
	}
	return nil
}

// RegistrarStats counts since the Registrar was made.
type RegistrarStats struct {
	Connected bool   // now
	Connects  uint64 // connections there were
	Failures  uint64 // connections that ended or could not be had
	Sent      uint64 // registrations and updates
}

// Stats returns a snapshot.
func (r *Registrar) Stats() RegistrarStats {
	return RegistrarStats{
		Connected: r.connected.Load(),
		Connects:  r.connects.Load(),
		Failures:  r.failures.Load(),
		Sent:      r.sentFrames.Load(),
	}
}

// Close ends Run and returns when it has returned. Run fails after that.
func (r *Registrar) Close() error { return r.runner.Close() }
