package warzonenet

import (
	"context"
	"errors"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
)

// Hosts of version 4 wait 10 seconds for the status of their game, and disconnect
// if the status of an update takes more than 2.5 seconds. Earlier hosts wait 2.5
// seconds.
const (
	verifyTimeout      = 6 * time.Second
	verifyTimeoutShort = 2 * time.Second
)

// errOtherGame means that another game answers at the port than the host has
// announced, for example one that was started earlier on the same machine.
var errOtherGame = errors.New("warzonenet: another game answers")

// verify connects to the address that clients will get, within VerifyTimeout or else
// limit. A game of version 4 must answer with its id. For earlier versions the
// connection is sufficient.
func (l *Lobby) verify(ctx context.Context, e Entry, limit time.Duration) error {
	var request []byte
	if e.Game.Version == warzone.Version4 {
		request, _ = warzone.AliveRequest{}.AppendBinary(nil) // cannot fail
	}
	r := requester{timeout: positiveOr(l.VerifyTimeout, limit), dial: l.Dial, maxFrame: maxRequest}
	return r.check(ctx, e.Key, request, func(c *stream.Conn) error {
		if request == nil {
			return nil
		}
		reply, err := stream.Next(c, nextAliveReply)
		if err == nil && reply.GameID != e.ID {
			return errOtherGame
		}
		return err
	})
}

// nextAliveReply cuts an AliveReply off b.
func nextAliveReply(b []byte) (m warzone.AliveReply, rest []byte, err error) {
	const size = 12
	m, err = warzone.ParseAliveReply(b[:min(len(b), size)])
	if errors.Is(err, lobbywire.ErrTruncated) {
		return m, b, lobbywire.ErrTruncated
	}
	return m, nil, err
}
