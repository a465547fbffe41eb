package admission

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/forwarded"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/source"
)

// A Limiter admits requests to HTTP servers. Its zero value has the default limits, and a
// nil Limiter has none. Fields must not change once it is used; SetLimits replaces some.
type Limiter struct {
	// Rates limits the requests each second, as Limit and Spend count them. The defaults are
	// 50 of a client, 400 of a prefix and 20 000 in total.
	Rates lobbywire.Rates

	// MaxAnswers and MaxAnswersPerPrefix limit the requests of a client and of a prefix
	// that are being answered. The defaults are 64 and 512.
	MaxAnswers          int
	MaxAnswersPerPrefix int

	// TrustedProxies name their clients in X-Forwarded-For.
	TrustedProxies []netip.Prefix

	// Vital contains the paths for checks of the server's health. They have separate rates,
	// 20 a second for a client, 200 for a prefix and 20 000 in total, and no other limits.
	Vital []string

	// Logger gets a warning if clients are refused; nil discards it.
	Logger *slog.Logger

	// Refused receives refused clients, and proxies that do not distinguish clients. It must
	// be quick. It may be nil.
	Refused func(r lobbywire.Refusal)

	begin    sync.Once
	requests limit.Limiter
	vital    limit.Limiter
	slots    slots
	warnings Warnings
	refused  [reasonCount]atomic.Uint64
	closed   atomic.Uint64

	mu        sync.Mutex
	answering source.Counter
}

func (d *Limiter) start() {
	d.begin.Do(func() {
		d.requests.Set(requestRates(d.Rates))
		vital := lobbywire.Rates{PerSource: 20, PerPrefix: 200, Global: 20_000}
		d.vital.Set(limit.RatesOf(vital, lobbywire.Rates{}))
		d.slots.free = slotsPerProcessor * runtime.GOMAXPROCS(0)
		d.setAnswers(d.MaxAnswers, d.MaxAnswersPerPrefix)
		d.warnings.Logger = d.Logger
	})
}

// SetLimits replaces Rates, MaxAnswers and MaxAnswersPerPrefix. It may be called at any time.
func (d *Limiter) SetLimits(rates lobbywire.Rates, answers, answersPerPrefix int) {
	d.start()
	d.requests.Set(requestRates(rates))
	d.setAnswers(answers, answersPerPrefix)
}

func (d *Limiter) setAnswers(perAddress, perPrefix int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.answering.MaxPerAddress = cmp.Or(perAddress, 64)
	d.answering.MaxPerPrefix = cmp.Or(perPrefix, 512)
}

func requestRates(rates lobbywire.Rates) limit.Rates {
	return limit.RatesOf(rates, lobbywire.Rates{PerSource: 50, PerPrefix: 400, Global: 20_000})
}

// Guard makes s admit requests. Call it before s serves, with listeners that Listener
// returns. Requests of OPTIONS for *, which s would answer itself, reach its Handler. The
// connection is closed after a request with a chunked body, for the reason that Handler of
// wzhttpnet gives.
func (d *Limiter) Guard(s *http.Server) {
	d.start()
	s.DisableGeneralOptionsHandler = true
	next := s.Handler
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { d.serve(w, r, next) })
	s.ConnContext = withConn
	s.ConnState = setState
}

func (d *Limiter) serve(w http.ResponseWriter, r *http.Request, next http.Handler) {
	client, beyond := d.client(r), isBeyond(r.Context())
	if beyond || len(r.TransferEncoding) > 0 {
		w.Header().Set("Connection", "close")
	}
	switch {
	case d.isVital(r):
		if client.IsValid() && !d.vital.Allow(client, time.Now()) {
			d.Refuse(w, r, Requests)
			return
		}
	case beyond:
		d.Refuse(w, r, Connections)
		return
	case !d.beginAnswer(client):
		d.Refuse(w, r, Connections)
		return
	default:
		defer d.endAnswer(client)
	}
	next.ServeHTTP(w, r)
}

func (d *Limiter) beginAnswer(client netip.Addr) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.answering.Add(client)
}

func (d *Limiter) endAnswer(client netip.Addr) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.answering.Remove(client)
}

func (d *Limiter) isVital(r *http.Request) bool { return slices.Contains(d.Vital, r.URL.Path) }

// Limit returns a handler that calls h for requests within Rates, and for requests of Vital.
// The former count once each. Pass the whole [http.ServeMux] of a server: it answers some
// requests itself, with redirects and errors.
func (d *Limiter) Limit(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !d.isVital(r) {
			d.checkProxy(r)
			if !d.Spend(w, r, 1) {
				return
			}
		}
		h.ServeHTTP(w, r)
	})
}

// Spend counts a request n times. If that is beyond Rates, it refuses the request and
// returns false.
func (d *Limiter) Spend(w http.ResponseWriter, r *http.Request, n int) bool {
	if d == nil {
		return true
	}
	d.start()
	client := d.client(r)
	if !client.IsValid() || d.requests.AllowN(client, n, time.Now()) {
		return true
	}
	d.Refuse(w, r, Requests)
	return false
}

// Work does some work for a request, which takes one of slotsPerProcessor slots of each
// processor, or more if it is costly. If there are none soon, it refuses the request and
// returns false. Clients get slots in turn.
func (d *Limiter) Work(w http.ResponseWriter, r *http.Request, slots int, do func()) bool {
	if d == nil {
		do()
		return true
	}
	d.start()
	// Other work always finds a slot.
	slots = max(min(slots, (slotsPerProcessor*runtime.GOMAXPROCS(0))*3/4), 1)
	if !d.slots.take(r.Context(), d.client(r), slots) {
		d.Refuse(w, r, Work)
		return false
	}
	defer d.slots.release(slots)
	do()
	return true
}

// Client returns the address that the limits count for a request. It is invalid for
// requests over a Unix socket, which have no limits.
func (d *Limiter) Client(r *http.Request) netip.Addr {
	if d == nil {
		peer, _ := forwarded.Peer(r)
		return peer
	}
	return d.client(r)
}

// client returns the client of a request, or the proxy that has not named it.
func (d *Limiter) client(r *http.Request) netip.Addr {
	client, ok := forwarded.Client(r, d.TrustedProxies)
	if !ok {
		client, _ = forwarded.Peer(r)
	}
	return client
}

func (d *Limiter) trusts(a netip.Addr) bool {
	return slices.ContainsFunc(d.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(a) })
}
