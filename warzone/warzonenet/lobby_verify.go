package warzonenet

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
)

// Defaults of Lobby.VerifyTimeout for a new game of version 4, and otherwise.
const (
	verifyTimeout      = 6 * time.Second
	verifyTimeoutShort = 2 * time.Second
)

// errOtherGame means that another game answers at the port than the host has
// announced, for example one that was started earlier on the same machine.
var errOtherGame = errors.New("warzonenet: another game answers")

// verify connects to the address that clients will get, within VerifyTimeout or else limit.
// A game of version 4 must answer with its id. For earlier ones the connection is sufficient.
func (l *Lobby) verify(ctx context.Context, e Entry, limit time.Duration) error {
	r := requester{timeout: positiveOr(l.VerifyTimeout, limit), dial: l.Dial, maxFrame: maxRequest}
	if e.Game.Version != warzone.Version4 {
		return r.check(ctx, e.Key, nil, func(*stream.Conn) error { return nil })
	}
	request, _ := warzone.AliveRequest{}.AppendBinary(nil) // cannot fail
	parse := func(b []byte) (warzone.AliveReply, error) {
		const size = 12
		return warzone.ParseAliveReply(b[:min(len(b), size)])
	}
	return r.check(ctx, e.Key, request, answers(parse, func(m warzone.AliveReply) bool { return m.GameID == e.ID }))
}

// check sends a request, unless that is empty, and reads the answer, within one timeout.
func (r requester) check(ctx context.Context, at netip.AddrPort, request []byte, read func(c *stream.Conn) error) error {
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	_, err := r.do(ctx, at.String(), request, read)
	return stream.Outcome(err)
}

// answers returns a function that reads the answer of a host, after which nothing follows.
// It fails if the answer is from another game.
func answers[M any](parse func(b []byte) (M, error), isGame func(m M) bool) func(c *stream.Conn) error {
	return func(c *stream.Conn) error {
		m, err := stream.Next(c, func(b []byte) (m M, rest []byte, err error) {
			if m, err = parse(b); errors.Is(err, lobbywire.ErrTruncated) {
				return m, b, lobbywire.ErrTruncated
			}
			return m, nil, err
		})
		if err == nil && !isGame(m) {
			return errOtherGame
		}
		return err
	}
}
