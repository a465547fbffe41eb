package serving

import (
	"context"
	"log/slog"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Refusals reports and logs what happens to games, at limited rates, because anybody can
// cause it.
type Refusals struct {
	refusals.Reporter
	logger *slog.Logger
	limit  limit.Limiter // of log lines
}

// Init sets the function that gets refusals, and the logger; nil does nothing.
func (r *Refusals) Init(to func(lobbywire.Refusal), logger *slog.Logger) {
	r.To, r.logger = to, logger
	r.limit.PerSource = limit.Rate{PerSecond: 1, Burst: 5}
	r.limit.PerPrefix = limit.Rate{PerSecond: 2, Burst: 20}
	r.limit.Global = limit.Rate{PerSecond: 10, Burst: 100}
}

// Refused reports and logs that the game at an address is not listed, and why.
func (r *Refusals) Refused(at netip.AddrPort, err error) {
	r.Report(refusal.Of(at, err))
	r.log("game refused", at, slog.Any("error", err))
}

func (r *Refusals) log(what string, at netip.AddrPort, more ...slog.Attr) {
	if r.logger != nil && r.limit.Allow(at.Addr(), time.Now()) {
		r.logger.LogAttrs(context.Background(), slog.LevelInfo, what,
			append([]slog.Attr{slog.Any("at", at)}, more...)...)
	}
}

// Checker completes the Checker of a lobby, which calls refused for a game that becomes
// Unreachable. With noVerify it connects to no game, and lists games again that were
// withheld before.
func Checker(c warzonegames.Checker, noVerify bool, r *Refusals, refused func(at netip.AddrPort, err error),
) warzonegames.Checker {
	c.Changed = func(e warzonegames.Entry, err error) {
		if err == nil {
			r.log("game listed again", e.Key)
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
