package admission

import (
	"fmt"
	"net/http"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/forwarded"
)

// A Reason is a limit that has refused a request or a connection.
type Reason int

// The reasons.
const (
	Connections Reason = iota // too many connections, or requests that are being answered
	Requests                  // too many requests a second
	Streams                   // too many streams of events
	Work                      // too much work
	Closed                    // connections that were closed without an answer, also to make room for others
	reasonCount
)

// Reasons returns all reasons.
func Reasons() []Reason { return []Reason{Connections, Requests, Streams, Work, Closed} }

func (r Reason) String() string {
	return [...]string{"connections", "requests", "streams", "work", "closed"}[r]
}

// Stats are counts since the start.
type Stats struct {
	Refused [reasonCount]uint64 // by Reason
	Idle    uint64              // idle connections that were closed in favour of others
}

// Stats returns the counts.
func (d *Limiter) Stats() (s Stats) {
	for i := range s.Refused {
		s.Refused[i] = d.refused[i].Load()
	}
	s.Idle = d.closed.Load()
	return s
}

// pause is how long a client waits for a refusal, so that clients that repeat refused
// requests at once take little time of the processor.
const pause = 100 * time.Millisecond

// retryAfter is the value of Retry-After, in seconds.
const retryAfter = "5"

// Refuse answers a request with status 429.
func (d *Limiter) Refuse(w http.ResponseWriter, r *http.Request, reason Reason) {
	if d != nil {
		d.start()
		d.note(reason, d.client(r))
	}
	if reason == Requests || reason == Streams {
		wait := time.NewTimer(pause)
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-r.Context().Done():
		}
	}
	h := w.Header()
	for _, name := range []string{"ETag", "Content-Encoding", "Vary"} { // of the refused answer
		h.Del(name)
	}
	h.Set("Retry-After", retryAfter)
	h.Set("Cache-Control", "no-store")
	if r.ProtoMajor > 1 {
		w.WriteHeader(http.StatusTooManyRequests) // a body would wait until the client accepts it
		return
	}
	http.Error(w, "too many "+reason.String(), http.StatusTooManyRequests)
}

// note counts a refusal, and logs it if it is the first of the prefix for a while.
func (d *Limiter) note(reason Reason, client netip.Addr) {
	d.refused[reason].Add(1)
	d.warnings.Warn("clients are refused", reason.String(), client)
	if d.Refused != nil {
		why := lobbywire.ReasonBusy
		if reason == Connections || reason == Closed {
			why = lobbywire.ReasonConns
		}
		d.Refused(lobbywire.Refusal{From: netip.AddrPortFrom(client, 0), Reason: why})
	}
}

// Check returns a handler that warns about proxies that do not distinguish clients, and
// calls h.
func (d *Limiter) Check(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.checkProxy(r)
		h.ServeHTTP(w, r)
	})
}

// checkProxy warns about proxies whose clients cannot be distinguished. It also reports the
// client that an untrusted proxy names.
func (d *Limiter) checkProxy(r *http.Request) {
	peer, ok := forwarded.Peer(r)
	if !ok {
		return
	}
	d.start()
	_, named := forwarded.Client(r, d.TrustedProxies)
	var problem string
	affected := []netip.Addr{peer}
	switch {
	case !named:
		problem = "trusted proxy does not name its clients in X-Forwarded-For: hosts are refused, and others share " +
			"limits"
	case (peer.IsLoopback() || peer.IsPrivate()) && r.Header.Get("X-Forwarded-For") != "" && !d.trusts(peer):
		problem = "proxy is not trusted: its clients share limits, and games have its address; see -trusted-proxy"
		if client, ok := forwarded.Client(r, []netip.Prefix{netip.PrefixFrom(peer, peer.BitLen())}); ok {
			affected = append(affected, client)
		}
	default:
		return
	}
	d.warnings.Warn(problem, "proxy", peer, "proxy", peer.String())
	if d.Refused == nil {
		return
	}
	for _, a := range affected {
		d.Refused(lobbywire.Refusal{From: netip.AddrPortFrom(a, 0), Reason: lobbywire.ReasonProxy,
			Err: fmt.Errorf("%s (proxy %s)", problem, peer)})
	}
}
