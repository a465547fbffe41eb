package serving

import (
	"context"
	"log/slog"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A GameLog logs what happens to games, with a rate limit, because anybody can cause it.
type GameLog struct {
	logger *slog.Logger
	limit  limit.Limiter
}

// Init sets the logger; nil is silent.
func (l *GameLog) Init(logger *slog.Logger) {
	l.logger = logger
	l.limit.PerSource = limit.Rate{PerSecond: 1, Burst: 5}
	l.limit.PerPrefix = limit.Rate{PerSecond: 2, Burst: 20}
	l.limit.Global = limit.Rate{PerSecond: 10, Burst: 100}
}

// Refused logs that the game at an address is not listed, and why.
func (l *GameLog) Refused(at netip.AddrPort, err error) {
	l.log("game refused", at, slog.Any("error", err))
}

func (l *GameLog) log(what string, at netip.AddrPort, more ...slog.Attr) {
	if l.logger != nil && l.limit.Allow(at.Addr(), time.Now()) {
		l.logger.LogAttrs(context.Background(), slog.LevelInfo, what,
			append([]slog.Attr{slog.Any("at", at)}, more...)...)
	}
}

// Checker completes the Checker of a lobby, which calls refused for a game that becomes
// Unreachable. With noVerify it connects to no game, and lists games again that were withheld
// before.
func Checker(c warzonegames.Checker, noVerify bool, l *GameLog, refused func(at netip.AddrPort, err error),
) warzonegames.Checker {
	c.Changed = func(e warzonegames.Entry, err error) {
		if err == nil {
			l.log("game listed again", e.Key)
			return
		}
		refused(e.Key, refusal.Unreachable(err))
	}
	if !noVerify {
		return c
	}
	has := c.Has
	c.Has = func(e *warzonegames.Entry) bool { return e.Unreachable && has(e) }
	c.Check = func(context.Context, warzonegames.Entry) error { return nil }
	return c
}
