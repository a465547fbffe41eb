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

// What a host waits for the status of its game is 10 seconds in version 4. It is
// 2.5 seconds for that of an update, after which such a host leaves, and in
// earlier versions.
const (
	verifyTimeout      = 6 * time.Second
	verifyTimeoutShort = 2 * time.Second
)

// verifyWithin returns how long it may take to reach a game that is added.
func (l *Lobby) verifyWithin(version uint32) time.Duration {
	if version == warzone.Version4 {
		return cmp.Or(l.VerifyTimeout, verifyTimeout)
	}
	return cmp.Or(l.VerifyTimeout, verifyTimeoutShort)
}

// verifyUpdateWithin returns that for one of which an update has come.
func (l *Lobby) verifyUpdateWithin() time.Duration {
	return cmp.Or(l.VerifyTimeout, verifyTimeoutShort)
}

// errOtherGame is about a host that answers for another game than that of the
// connection, as one that was started before on the same machine.
var errOtherGame = errors.New("warzonenet: another game answers")

// verify tells whether a game can be reached within limit where the lobby is going
// to send players. Before version 4 nothing is said: it must accept a connection.
func (l *Lobby) verify(ctx context.Context, e Entry, limit time.Duration) error {
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
