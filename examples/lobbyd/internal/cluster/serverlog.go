package cluster

import (
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// A serverLog logs messages of the server at LevelDebug, because every second it
// reports nodes that it cannot reach. The link logs what matters to operators, except why
// nodes refuse each other.
type serverLog struct {
	*slog.Logger
	end chan<- string // why the server exits, since it returns no error

	mu      sync.Mutex
	refused time.Time // when the last refusal was logged
}

func (l *serverLog) Fatalf(format string, v ...any) {
	why := fmt.Sprintf(format, v...)
	l.Error("nats", "says", why)
	select {
	case l.end <- why:
	default: // keep the first reason
	}
}

func (l *serverLog) Errorf(format string, v ...any) {
	says := fmt.Sprintf(format, v...)
	if isRefusal(says) && l.isDue(time.Now()) {
		l.Warn("cluster: a connection was refused", "error", says)
		return
	}
	l.Debug("nats", "says", says)
}

// isRefusal reports whether an error of the server says that a peer lacks the right
// certificate or secret.
func isRefusal(says string) bool {
	for _, word := range []string{"TLS", "uthentication", "uthorization"} {
		if strings.Contains(says, word) {
			return true
		}
	}
	return false
}

// isDue reports whether it is time for another warning about a refusal.
func (l *serverLog) isDue(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.refused) < complainEvery {
		return false
	}
	l.refused = now
	return true
}

func (l *serverLog) Warnf(format string, v ...any) {
	l.Debug("nats", "says", fmt.Sprintf(format, v...))
}
func (l *serverLog) Noticef(format string, v ...any) {
	l.Debug("nats", "says", fmt.Sprintf(format, v...))
}
func (l *serverLog) Debugf(string, ...any) {}
func (l *serverLog) Tracef(string, ...any) {}
