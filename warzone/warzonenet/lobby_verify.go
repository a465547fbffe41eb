package warzonenet

import (
	"context"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Times of checks.
const (
	checkTimeout      = 6 * time.Second // of a new game of version 4, and of listed games
	checkTimeoutShort = 2 * time.Second // while another host waits for the status, for 2.5 s
)

// verify connects to the address that clients will get, within limit.
// A game of version 4 must answer with its id. For earlier ones the connection is sufficient.
func (l *Lobby) verify(ctx context.Context, e warzonegames.Entry, limit time.Duration) error {
	r := stream.Requests{Timeout: limit, Dial: l.Dial, MaxFrame: maxRequest}
	if e.Game.Version != warzone.Version4 {
		return r.Check(ctx, e.Key.String(), nil, func(*stream.Conn) error { return nil })
	}
	asked, _ := warzone.AliveRequest{}.AppendBinary(nil) // cannot fail
	parse := func(b []byte) (warzone.AliveReply, error) {
		return warzone.ParseAliveReply(b[:min(len(b), warzone.AliveReplySize)])
	}
	return r.Check(ctx, e.Key.String(), asked,
		serving.Reply(parse, func(m warzone.AliveReply) bool { return m.GameID == e.ID }))
}

// checker returns the Checker of games, except those that a Lobby with NoVerify has listed.
func (l *Lobby) checker() gamelist.Checker[warzonegames.Entry] {
	c := gamelist.Checker[warzonegames.Entry]{
		Has: func(e *warzonegames.Entry) bool { return e.Source == warzonegames.SourceLobby && e.Verified },
		Check: func(ctx context.Context, e warzonegames.Entry) error {
			return l.verify(ctx, e, checkTimeout)
		},
	}
	return serving.Checker(c, l.NoVerify, &l.refusals, func(at netip.AddrPort, err error) {
		l.counts.Add(&l.counts.Stats.Refused)
		l.refusals.Refused(at, err)
	})
}
