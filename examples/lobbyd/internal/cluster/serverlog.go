package cluster

import (
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// A serverLog logs messages of the server at LevelDebug, because every second it reports
// nodes that it cannot reach. The link logs the events that matter to operators, except
// why nodes refuse each other, and why the server cannot write.
type serverLog struct {
	*slog.Logger
	end chan<- string // why the server exits, since it returns no error

	mu   sync.Mutex
	said map[string]time.Time // when a warning was last logged
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
	warning := ""
	switch {
	case isRefusal(says):
		warning = "cluster: a connection was refused"
	case strings.Contains(says, "write error"):
		warning = "cluster: the NATS server of this node cannot write its state"
	}
	if warning != "" && l.isDue(warning, time.Now()) {
		l.Warn(warning, "error", says)
		return
	}
	l.Debug("nats", "says", says)
}

// isRefusal reports whether an error of the server means that a peer lacks the right
// certificate or secret.
func isRefusal(says string) bool {
	for _, word := range []string{"TLS", "uthentication", "uthorization"} {
		if strings.Contains(says, word) {
			return true
		}
	}
	return false
}

// isDue reports whether it is time to repeat a warning.
func (l *serverLog) isDue(warning string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.said[warning]) < complainEvery {
		return false
	}
	if l.said == nil {
		l.said = make(map[string]time.Time)
	}
	l.said[warning] = now
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
