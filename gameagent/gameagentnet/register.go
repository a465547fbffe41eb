package gameagentnet

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
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

// Times of a Registration.
const (
	heartbeatEvery = 150 * time.Second
	firstRetry     = 3 * time.Second // of a join; doubles up to heartbeatEvery
	repeatAfter    = 5 * time.Second // of the answer to a challenge
	changeEvery    = time.Second     // at most
)

// A Registration keeps a Server in the list of one master, until Leave. Either
// Run does all there is to do, or a game with a loop of its own calls Tick.
//
// To a native master it sends a join, again after 3 s and then twice as long
// each time while no challenge comes; Respond answers challenges. The answer is
// sent once more after 5 s, because nothing tells whether it arrived. Then a
// heartbeat follows every 150 s. A master that has forgotten the server, or that
// was gone, answers one with a challenge, and so lists it again.
//
// To a legacy master it sends a heartbeat at once and every 150 s, and a last
// one from Leave.
type Registration struct {
	server *Server
	master netip.AddrPort
	form   Form
	wake   chan struct{} // of Run, when Next changes

	mu        sync.Mutex
	left      bool
	next      time.Time // of the next join or heartbeat; zero before the first
	retry     time.Duration
	known     bool // the master has sent a challenge
	repeat    time.Time
	challenge int32     // to repeat then
	changed   bool      // the master is to be told
	told      time.Time // when it last was
}

// Register begins to keep the server in the list of the master at an IPv4
// address; lists hold no others. Nothing is sent but by Run or as Tick says.
// It fails if the address is not one of IPv4 with a port.
//
// The master knows the server by the address that datagrams come from, so they
// must be sent from the socket on which the Server serves, and that socket must
// be able to send to IPv4 addresses.
func (s *Server) Register(master netip.AddrPort, form Form) (*Registration, error) {
	s.once.Do(s.init)
	r := &Registration{server: s, master: unmap(master), form: form, wake: make(chan struct{}, 1), retry: firstRetry}
	if !r.master.Addr().Is4() || r.master.Port() == 0 {
		return nil, errors.New("gameagentnet: the address of a master must be one of IPv4, with a port")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all := append(slices.Clone(*s.registrations.Load()), r)
	s.registrations.Store(&all)
	return r, nil
}

// StateChanged tells every master that a player has entered, as soon as it is
// listed there, and at most once a second.
func (s *Server) StateChanged() {
	s.once.Do(s.init)
	for _, r := range *s.registrations.Load() {
		r.mu.Lock()
		r.changed = true
		r.mu.Unlock()
		r.notify()
	}
}

// notify wakes Run.
func (r *Registration) notify() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Master returns where to send what Tick appends.
func (r *Registration) Master() netip.AddrPort { return r.master }

// Challenged tells whether the master has ever sent a challenge. If not, it is
// gone, does not see this server, or speaks the legacy form only, in which there
// is none.
func (r *Registration) Challenged() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.known
}

// challenged notes a challenge that is being answered.
func (r *Registration) challenged(challenge int32, now time.Time) {
	r.mu.Lock()
	if !r.known {
		r.known = true
		r.next = now.Add(heartbeatEvery)
	}
	r.challenge = challenge
	r.repeat = now.Add(repeatAfter)
	r.mu.Unlock()
	r.notify()
}

// Next returns when Tick has something to send, the zero time for at once. A
// challenge, StateChanged and Leave change it. It is far ahead after Leave.
func (r *Registration) Next() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left {
		return time.Now().Add(heartbeatEvery)
	}
	next := r.next
	if !r.repeat.IsZero() && r.repeat.Before(next) {
		next = r.repeat
	}
	if t := r.told.Add(changeEvery); r.mayTell() && t.Before(next) {
		next = t
	}
	return next
}

// mayTell tells whether a change is to be told, sooner or later.
func (r *Registration) mayTell() bool { return r.changed && (r.known || r.form == FormLegacy) }

// Tick appends the datagram that is to be sent to the master now, if there is
// one. If there was one there may be another.
func (r *Registration) Tick(now time.Time, dst []byte) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	state := r.server.state.Load()
	switch {
	case r.left:
	case !now.Before(r.next):
		return r.beat(now, state, dst)
	case !r.repeat.IsZero() && !now.Before(r.repeat):
		r.repeat = time.Time{}
		return state.appendHeartbeat(dst, r.challenge)
	case r.mayTell() && !now.Before(r.told.Add(changeEvery)):
		r.changed, r.told = false, now
		if r.form == FormLegacy {
			return append(dst, state.legacyChanged...)
		}
		dst, _ = gameagent.StateChanged{}.AppendBinary(dst)
	}
	return dst
}

// beat appends a join or a heartbeat.
func (r *Registration) beat(now time.Time, state *encoded, dst []byte) []byte {
	r.next = now.Add(heartbeatEvery)
	switch {
	case r.form == FormLegacy:
		return append(dst, state.legacyHeartbeat...)
	case r.known:
		return state.appendHeartbeat(dst, 0)
	}
	r.next = now.Add(r.retry)
	r.retry = min(2*r.retry, heartbeatEvery)
	dst, _ = gameagent.Join{}.AppendBinary(dst)
	return dst
}

// Leave ends the Registration and appends what is to be sent to the master for
// that, which is nothing in the native form: the entry expires.
func (r *Registration) Leave(dst []byte) []byte {
	s := r.server
	s.mu.Lock()
	all := slices.DeleteFunc(slices.Clone(*s.registrations.Load()), func(q *Registration) bool { return q == r })
	s.registrations.Store(&all)
	s.mu.Unlock()

	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left {
		return dst
	}
	r.left = true
	if r.form == FormLegacy && !r.next.IsZero() {
		return append(dst, s.state.Load().legacyChanged...)
	}
	return dst
}

// Run sends to the master from pc, on which Serve must be called for its
// challenges to be answered, until ctx is done or the Server ends. Then it
// leaves. It does not close pc. Its error is never nil: that of ctx,
// [lobbywire.ErrClosed], or what closed pc.
func (r *Registration) Run(ctx context.Context, pc net.PacketConn) error {
	s := r.server
	s.mu.Lock()
	if s.isClosed {
		s.mu.Unlock()
		r.Leave(nil)
		return lobbywire.ErrClosed
	}
	s.running.Add(1)
	s.mu.Unlock()
	defer s.running.Done()

	to := net.UDPAddrFromAddrPort(r.master)
	var b []byte
	defer func() {
		if b = r.Leave(b[:0]); len(b) > 0 {
			_, _ = pc.WriteTo(b, to)
		}
	}()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		for b = r.Tick(time.Now(), b[:0]); len(b) > 0; b = r.Tick(time.Now(), b[:0]) {
			if _, err := pc.WriteTo(b, to); errors.Is(err, net.ErrClosed) {
				return err
			} else if err != nil && s.Logger != nil {
				s.Logger.LogAttrs(ctx, slog.LevelDebug, "master not reached",
					slog.String("master", r.master.String()), slog.Any("error", err))
			}
		}
		timer.Reset(time.Until(r.Next()))
		select {
		case <-timer.C:
		case <-r.wake:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-s.closed:
			return lobbywire.ErrClosed
		}
	}
}
