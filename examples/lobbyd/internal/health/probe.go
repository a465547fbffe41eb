package health

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// probeTimeout is the time limit for the answer of a server.
const probeTimeout = 5 * time.Second

// errOtherGame means that another game has the port of the host.
var errOtherGame = errors.New("health: another game answers")

// accepts returns an error unless addr accepts a connection.
func accepts(ctx context.Context, addr netip.AddrPort) error {
	c, err := new(net.Dialer).DialContext(ctx, "tcp", addr.String())
	if err != nil {
		return err
	}
	return c.Close()
}

// answersLegacy returns an error unless a server answers a query in the legacy form.
func answersLegacy(ctx context.Context, e gamespy1net.Entry) error {
	query, err := gameagent.QueryAddr(e.Game)
	if err != nil {
		return err
	}
	_, err = (&gamespy1net.Client{Dial: catalogue.DialFrom(e.Local)}).Status(ctx, query.String())
	return err
}

// isPlayed requests the ID of a game, as the lobby did before it listed the game. Games
// before version 4 do not support this.
func isPlayed(ctx context.Context, e warzonegames.Entry) error {
	if e.Source == warzonegames.SourceHTTP {
		return nil // its host bans clients that connect without a token, and sends a keep-alive every 30 s
	}
	if e.Game.Version != warzone.Version4 || e.Source != warzonegames.SourceLobby {
		return accepts(ctx, e.Key)
	}
	c, err := new(net.Dialer).DialContext(ctx, "tcp", e.Key.String())
	if err != nil {
		return err
	}
	defer c.Close()
	deadline, _ := ctx.Deadline()
	if err := c.SetDeadline(deadline); err != nil {
		return err
	}
	request, err := warzone.AliveRequest{}.AppendBinary(nil)
	if err != nil {
		return err
	}
	if _, err := c.Write(request); err != nil {
		return err
	}
	answer := make([]byte, 12)
	if _, err := io.ReadFull(c, answer); err != nil {
		return err
	}
	reply, err := warzone.ParseAliveReply(answer)
	if err == nil && reply.GameID != e.ID {
		return errOtherGame
	}
	return err
}
