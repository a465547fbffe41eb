package wzhttpnet

import (
	"context"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
)

// runBoth announces the game to the lobby and to the lobby of Earlier.
func (h *Host) runBoth(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		cancel(h.Earlier.Run(ctx))
	}()
	err := h.keepAnnounced(ctx)
	<-ended
	return err
}

// probeFollows is the time within which the rest of a Probe follows its first bytes. Lobbies for
// earlier versions send nothing more.
const probeFollows = 500 * time.Millisecond

// answerEither reads the request of a lobby of either kind and returns the answer.
func (h *Host) answerEither(c *stream.Conn) ([]byte, error) {
	req, err := stream.Next(c, cutAliveRequest)
	if err != nil {
		return nil, err
	}
	req = slices.Clone(req) // the connection reuses its memory
	c.SetIdle(probeFollows)
	probe, err := stream.Next(c, func(b []byte) (probe, rest []byte, err error) {
		probe, _, err = cutProbe(slices.Concat(req, b))
		if err != nil {
			return nil, b, err
		}
		return probe, nil, nil
	})
	if err != nil {
		return h.Earlier.RespondAlive(req, nil), nil
	}
	return h.RespondAlive(probe, nil), nil
}

// cutAliveRequest cuts the request of a lobby for earlier versions, or the first bytes of a Probe,
// off b.
func cutAliveRequest(b []byte) (req, rest []byte, err error) {
	if len(b) < warzone.AliveSize {
		return nil, b, lobbywire.ErrTruncated
	}
	return b[:warzone.AliveSize], b[warzone.AliveSize:], nil
}
