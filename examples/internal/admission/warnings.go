package admission

import (
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/internal/source"
)

// Limits of warnings.
const (
	warnEvery   = 10 * time.Minute
	maxPerCause = 16 // in that time
)

// Warnings log warnings about clients, a bounded number of them during an attack: a cause once in
// 10 minutes for a prefix, an IPv4 /24 or an IPv6 /48, and for up to 16 prefixes. Causes must be
// few. Fields must not change once they are used.
type Warnings struct {
	Logger *slog.Logger // nil is silent

	mu     sync.Mutex
	end    time.Time // when all may be logged again
	logged map[cause]map[netip.Prefix]bool
}

// A cause is a message with a reason.
type cause struct{ message, reason string }

// Warn logs a message with a reason, the prefix of an address if it is valid, and attributes as
// [slog.Logger.Warn] takes them.
func (w *Warnings) Warn(message, reason string, from netip.Addr, attributes ...any) {
	prefix := source.PrefixOf(from)
	if w.Logger == nil || !w.isDue(cause{message, reason}, prefix, time.Now()) {
		return
	}
	all := []any{"reason", reason}
	if prefix.IsValid() {
		all = append(all, "prefix", prefix.String())
	}
	w.Logger.Warn(message, append(all, attributes...)...)
}

func (w *Warnings) isDue(c cause, prefix netip.Prefix, now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now.After(w.end) {
		w.end, w.logged = now.Add(warnEvery), make(map[cause]map[netip.Prefix]bool)
	}
	prefixes := w.logged[c]
	if prefixes[prefix] || len(prefixes) >= maxPerCause {
		return false
	}
	if prefixes == nil {
		prefixes = make(map[netip.Prefix]bool)
		w.logged[c] = prefixes
	}
	prefixes[prefix] = true
	return true
}
