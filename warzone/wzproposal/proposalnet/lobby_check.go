package proposalnet

import (
	"context"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// checkTimeout is the maximum time to connect to a game.
const checkTimeout = 5 * time.Second

// checker returns the Checker of the games that were opened through the proposal. They must
// accept connections.
func (l *Lobby) checker() gamelist.Checker[warzonegames.Entry] {
	source := l.dialect.facts().source
	r := stream.Requests{Timeout: checkTimeout, Dial: l.Dial}
	c := gamelist.Checker[warzonegames.Entry]{
		Has: func(e *warzonegames.Entry) bool { return e.Source == source },
		Check: func(ctx context.Context, e warzonegames.Entry) error {
			return r.Check(ctx, e.Key.String(), nil, func(*stream.Conn) error { return nil })
		},
	}
	return serving.Checker(c, l.NoVerify, &l.refusals, func(at netip.AddrPort, err error) {
		l.counts.Add(&l.counts.Stats.Refused)
		l.refusals.Refused(at, err)
	})
}
