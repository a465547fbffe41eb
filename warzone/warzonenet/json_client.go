package warzonenet

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"os"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/internal/listcache"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/request"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// A JSONClient fetches the lists of lobbies of the JSON proposal, and adds games to them.
// It is used like a [ProposalClient], and has the same errors.
type JSONClient struct {
	// Timeout, ListEvery and Dial are as in a [Client].
	Timeout   time.Duration
	ListEvery time.Duration
	Dial      func(ctx context.Context, network, addr string) (net.Conn, error)

	// Silence is how long to wait for the answer to an update, a heartbeat or a
	// goodbye, which lobbies need not send; 0 means 1 s. Without an answer, or if
	// the lobby closes the connection, the request counts as a success.
	Silence time.Duration

	// Options are the options for decoding answers. They limit the size of a
	// list.
	Options wzjson.Options

	lists listcache.Cache[JSONListing] // by lobby and filter
}

// A JSONListing is a lobby's list.
type JSONListing struct {
	// Games are in the order of the wire. Texts are as the lobby sent them, so
	// quote them before showing them.
	Games []wzjson.Game

	RTT time.Duration // from the request to the first bytes of the answer
}

// List fetches the games of the lobby at addr, host:port, that match at least one element
// of the filter, or all games if the filter is empty. Requests are limited as in
// [Client.List]; calls with another filter wait until ListEvery has passed.
func (c *JSONClient) List(ctx context.Context, addr string, filter ...wzjson.Fields) (JSONListing, error) {
	request, err := wzjson.AppendMessage(nil, wzjson.List{Filter: filter})
	if err != nil {
		return JSONListing{}, err
	}
	l, err := c.lists.Get(ctx, addr, string(request), c.ListEvery, func(ctx context.Context) (JSONListing, error) {
		list, rtt, err := askJSON[wzjson.ListAck](ctx, c, addr, wzjson.List{Filter: filter})
		compactJSON(list.Games)
		return JSONListing{Games: list.Games, RTT: rtt}, err
	})
	l.Games = slices.Clone(l.Games)
	for i := range l.Games {
		extra := maps.Clone(l.Games[i].Extra)
		for k, v := range extra {
			extra[k] = slices.Clone(v)
		}
		l.Games[i].Extra = extra
	}
	return l, err
}

// Add adds the caller's game to the list of a lobby. The id identifies the game in
// later requests. Keep it secret: with it, anybody can change and remove the game.
func (c *JSONClient) Add(ctx context.Context, addr string, m wzjson.Add) (id string, err error) {
	ack, _, err := askJSON[wzjson.AddAck](ctx, c, addr, m)
	return ack.ID, err
}

// Update changes fields of a game.
func (c *JSONClient) Update(ctx context.Context, addr string, m wzjson.Update) error {
	return c.tell(ctx, addr, m, wzjson.CommandUpdateAck)
}

// Heartbeat keeps a game listed. It should be sent every 30 seconds.
func (c *JSONClient) Heartbeat(ctx context.Context, addr, id string) error {
	return c.tell(ctx, addr, wzjson.Heartbeat{ID: id}, wzjson.CommandHeartbeatAck)
}

// Goodbye removes a game from the list.
func (c *JSONClient) Goodbye(ctx context.Context, addr, id string) error {
	return c.tell(ctx, addr, wzjson.Goodbye{ID: id}, wzjson.CommandGoodbyeAck)
}

// tell sends a request that may get no answer.
func (c *JSONClient) tell(ctx context.Context, addr string, m wzjson.Message, ack string) error {
	answer, _, err := c.do(ctx, addr, m, cmp.Or(max(c.Silence, 0), time.Second))
	if got, ok := answer.(wzjson.Ack); answer != nil && (!ok || got.Command != ack) {
		return errNoAnswer
	}
	return err
}

// askJSON sends a request that must be answered.
func askJSON[M wzjson.Message](ctx context.Context, c *JSONClient, addr string, m wzjson.Message) (answer M, rtt time.Duration, err error) {
	got, rtt, err := c.do(ctx, addr, m, 0)
	if err != nil {
		return answer, 0, err
	}
	answer, ok := got.(M)
	if !ok {
		return answer, 0, errNoAnswer
	}
	return answer, rtt, nil
}

// do sends a request. If silence is not 0, there need be no answer: it is nil if the
// lobby closes the connection or sends nothing for that time.
func (c *JSONClient) do(ctx context.Context, addr string, m wzjson.Message, silence time.Duration) (answer wzjson.Message, rtt time.Duration, err error) {
	asked, err := wzjson.AppendMessage(nil, m)
	if err != nil {
		return nil, 0, err
	}
	r := request.Settings{Timeout: c.Timeout, Dial: c.Dial, MaxFrame: cmp.Or(max(c.Options.MaxFrame, 0), wzjson.MaxFrame), First: silence}
	rtt, err = r.Do(ctx, addr, asked, func(conn *stream.Conn) error {
		f := wzjson.Framer{Options: c.Options}
		payload, err := stream.Next(conn, f.Next)
		silent := err == io.EOF || errors.Is(err, os.ErrDeadlineExceeded) && len(conn.Rest()) == 0
		switch {
		case silent && silence != 0:
			return nil
		case err != nil:
			return err
		}
		m, err := c.Options.ParseMessage(payload)
		if refused, ok := m.(wzjson.Error); ok {
			return &LobbyError{refused.Message}
		}
		answer = m
		return err
	})
	return answer, rtt, err
}
