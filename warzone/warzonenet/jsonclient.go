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
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// A JSONClient asks lobbies of the JSON proposal for their games, and adds games
// there. Its zero value is ready. Each request has a connection of its own; it
// may be used by many goroutines at once, and fields must not change then.
//
// Errors are as of a [TextClient].
type JSONClient struct {
	// Timeout is how long connecting, and each silence before the end of an
	// answer, may take; 0 means 5 s. All of a request takes 10 times that at
	// most.
	Timeout time.Duration

	// Silence is how long the answer to an update, a heartbeat or a goodbye is
	// waited for, which lobbies need not send; 0 means 1 s. Then it is taken for
	// carried out, as it is if the lobby closes the connection.
	Silence time.Duration

	// ListEvery is how often a lobby is asked for a list: meanwhile List returns
	// what it returned before. 0 means 2 s; it is always if negative.
	ListEvery time.Duration

	// Options are for reading answers, and limit what a List takes.
	Options wzjson.Options

	// Dial connects to lobbies; nil means as the system does.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	lists listcache.Cache[[]wzjson.Game] // by lobby and filter
}

// jsonSilence is what is waited for an answer that need not come.
const jsonSilence = time.Second

// List asks the lobby at addr, host:port, for its games that match one of the
// filter at least, or for all if it is empty. An empty list is no error. Texts
// are as the lobby sent them, so they need care before they are shown.
//
// A lobby is asked again with the same filter only after ListEvery, and more
// seldom while it fails, as by [Client.List]. The slice is each caller's own;
// what is in Extra must not be changed.
func (c *JSONClient) List(ctx context.Context, addr string, filter ...wzjson.Fields) ([]wzjson.Game, error) {
	request, err := wzjson.AppendMessage(nil, wzjson.List{Filter: filter})
	if err != nil {
		return nil, err
	}
	key := addr + "\n" + string(request)
	games, err := c.lists.Get(ctx, key, c.ListEvery, func(ctx context.Context) ([]wzjson.Game, error) {
		answer, err := c.do(ctx, addr, request)
		if err != nil {
			return nil, err
		}
		list, ok := answer.(wzjson.ListAck)
		if !ok {
			return nil, errNoAnswer
		}
		return list.Games, nil
	})
	games = slices.Clone(games)
	for i := range games {
		games[i].Extra = maps.Clone(games[i].Extra)
	}
	return games, err
}

// Add lists the game of the caller at a lobby. The id is by what the others know
// it, and a secret: who has it may change and remove the game.
func (c *JSONClient) Add(ctx context.Context, addr string, m wzjson.Add) (id string, err error) {
	request, err := wzjson.AppendMessage(nil, m)
	if err != nil {
		return "", err
	}
	answer, err := c.do(ctx, addr, request)
	if err != nil {
		return "", err
	}
	ack, ok := answer.(wzjson.AddAck)
	if !ok {
		return "", errNoAnswer
	}
	return ack.ID, nil
}

// Update changes fields of a game.
func (c *JSONClient) Update(ctx context.Context, addr string, m wzjson.Update) error {
	return c.tell(ctx, addr, m, wzjson.CommandUpdateAck)
}

// Heartbeat tells a lobby that a game lives on. Every 30 seconds is what wzjson
// suggests.
func (c *JSONClient) Heartbeat(ctx context.Context, addr, id string) error {
	return c.tell(ctx, addr, wzjson.Heartbeat{ID: id}, wzjson.CommandHeartbeatAck)
}

// Goodbye takes a game off the list.
func (c *JSONClient) Goodbye(ctx context.Context, addr, id string) error {
	return c.tell(ctx, addr, wzjson.Goodbye{ID: id}, wzjson.CommandGoodbyeAck)
}

// tell sends what need not be answered.
func (c *JSONClient) tell(ctx context.Context, addr string, m wzjson.Message, ack string) error {
	request, err := wzjson.AppendMessage(nil, m)
	if err != nil {
		return err
	}
	a := c.asker()
	a.first = cmp.Or(c.Silence, jsonSilence)
	return a.ask(ctx, addr, request, func(conn *stream.Conn) error {
		answer, err := c.next(conn)
		if err == io.EOF || errors.Is(err, os.ErrDeadlineExceeded) && len(conn.Rest()) == 0 {
			return nil
		}
		if got, ok := answer.(wzjson.Ack); err == nil && (!ok || got.Command != ack) {
			return errNoAnswer
		}
		return err
	})
}

// do sends what is answered.
func (c *JSONClient) do(ctx context.Context, addr string, request []byte) (answer wzjson.Message, err error) {
	err = c.asker().ask(ctx, addr, request, func(conn *stream.Conn) (err error) {
		answer, err = c.next(conn)
		return err
	})
	return answer, err
}

// next reads an answer.
func (c *JSONClient) next(conn *stream.Conn) (wzjson.Message, error) {
	payload, err := stream.Next(conn, c.Options.NextFrame)
	if err != nil {
		return nil, err
	}
	m, err := c.Options.ParseMessage(payload)
	if e, ok := m.(wzjson.Error); ok {
		return nil, &LobbyError{e.Message}
	}
	return m, err
}

func (c *JSONClient) asker() asker {
	return asker{timeout: c.Timeout, dial: c.Dial, maxFrame: cmp.Or(c.Options.MaxFrame, wzjson.MaxFrame)}
}
