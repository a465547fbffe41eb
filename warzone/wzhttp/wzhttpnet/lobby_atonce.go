package wzhttpnet

import (
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/internal/source"
)

// answers counts the requests that are being answered.
type answers struct {
	mu   sync.Mutex
	open source.Counter
}

func (a *answers) begin(from netip.Addr) (ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.open.Add(from)
}

func (a *answers) end(from netip.Addr) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open.Remove(from)
}

// limitAnswers returns a handler that calls h for a limited number of requests at once. Over
// HTTP/1, connections bound them anyway. Over HTTP/2, a client that does not accept the
// answers would make each request of a connection occupy memory.
func (l *Lobby) limitAnswers(h http.Handler) http.Handler {
	a := &answers{open: connCounter(l.Limits.ConnLimits)}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from, _ := l.clientOf(r) // the handler refuses a request without a client
		if !a.begin(from) {
			l.counts.Add(&l.counts.Stats.Limited)
			// HTTP/2 sends a header at once. A body would wait until the client accepts it.
			w.Header().Set("Retry-After", strconv.Itoa(int(retryLater/time.Second)))
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		defer a.end(from)
		h.ServeHTTP(w, r)
		if r.ProtoMajor == 2 {
			http.NewResponseController(w).Flush() // waits until the client has accepted the answer
		}
	})
}
