package serving

import (
	"context"
	"log/slog"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Refusals reports and logs refused games. It logs one line a minute of each kind, because
// anybody can cause it.
type Refusals struct {
	refusals.Reporter
	logger            *slog.Logger
	refused, returned lifecycle.Lines
}

// Init sets the function that receives refusals, and the logger; nil does nothing.
func (r *Refusals) Init(to func(lobbywire.Refusal), logger *slog.Logger) {
	r.To, r.logger = to, logger
}

// Refused reports and logs that the game at an address is not listed, and why.
func (r *Refusals) Refused(at netip.AddrPort, err error) {
	r.Report(refusal.Of(at, err))
	r.log(&r.refused, "game refused", at, slog.Any("error", err))
}

// log logs an event of a game, with the number of others that were not logged.
func (r *Refusals) log(lines *lifecycle.Lines, what string, at netip.AddrPort, more ...slog.Attr) {
	if omitted, ok := lines.Allow(time.Now()); ok && r.logger != nil {
		more = append([]slog.Attr{slog.Any("at", at)}, more...)
		r.logger.LogAttrs(context.Background(), slog.LevelInfo, what, append(more, slog.Int("omitted", omitted))...)
	}
}

// Checker completes the Checker of a lobby, which calls refused for a game that becomes
// Unreachable. With noVerify it connects to no game, and lists withheld games again.
func Checker(c gamelist.Checker[warzonegames.Entry], noVerify bool, r *Refusals, refused func(at netip.AddrPort, err error),
) gamelist.Checker[warzonegames.Entry] {
	c.Changed = func(e warzonegames.Entry, err error) {
		if err == nil {
			r.log(&r.returned, "game listed again", e.Key)
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
