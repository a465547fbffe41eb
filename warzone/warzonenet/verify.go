package warzonenet

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
)

// What a host waits for the status of its game is 10 seconds in version 4, and
// 2.5 seconds in version 3.
const (
	verifyTimeout        = 6 * time.Second
	verifyTimeoutEarlier = 2 * time.Second
)

// errOtherGame is about a host that answers for another game than that of the
// connection, as one that was started before on the same machine.
var errOtherGame = errors.New("warzonenet: another game answers")

// verify tells whether a game can be reached where the lobby is going to send
// players. Before version 4 nothing is said: it must accept a connection.
func (l *Lobby) verify(ctx context.Context, e Entry) error {
	limit := verifyTimeoutEarlier
	if e.Game.Version == warzone.Version4 {
		limit = verifyTimeout
	}
	limit = cmp.Or(l.VerifyTimeout, limit)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c, err := stream.Dial(ctx, l.Dial, e.Key.String(), stream.Limits{
		First: limit, Frame: limit, Idle: limit, Write: limit, MaxFrame: maxRequest,
	})
	if err != nil {
		return err
	}
	defer c.Close()
	if e.Game.Version != warzone.Version4 {
		return nil
	}
	defer c.EndWith(ctx)()
	request, _ := warzone.AliveRequest{}.AppendBinary(nil) // does not fail
	if _, err := c.Write(request); err != nil {
		return err
	}
	reply, err := stream.Next(c, nextAliveReply)
	if err == nil && reply.GameID != e.ID {
		return errOtherGame
	}
	return err
}

// nextAliveReply cuts an AliveReply off b.
func nextAliveReply(b []byte) (m warzone.AliveReply, rest []byte, err error) {
	const size = 12
	m, err = warzone.ParseAliveReply(b[:min(len(b), size)])
	switch {
	case errors.Is(err, lobbywire.ErrTruncated):
		return m, b, lobbywire.ErrTruncated
	case err != nil:
		return m, b, err
	}
	return m, b[size:], nil
}
