package feeds

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/state"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// A Query queries a game server for its state.
type Query func(ctx context.Context, addr string) (lobbywire.View, error)

// asked are the protocols of queries.
var asked = []struct {
	protocol string
	query    Query
}{
	{"sqp", func(ctx context.Context, addr string) (lobbywire.View, error) {
		r, err := new(sqpnet.Client).Query(ctx, addr, sqp.AllChunks)
		return r.Message.View(), err
	}},
	{"gamespy2", func(ctx context.Context, addr string) (lobbywire.View, error) {
		r, err := new(gamespy2net.Client).Query(ctx, addr)
		return r.View(), err
	}},
	{"gameagent", func(ctx context.Context, addr string) (lobbywire.View, error) {
		r, err := new(gameagentnet.Client).FullStatus(ctx, addr)
		return r.Message.View(), err
	}},
	{"gameagent-legacy", func(ctx context.Context, addr string) (lobbywire.View, error) {
		r, err := new(gamespy1net.Client).Status(ctx, addr)
		return r.Message.View(), err
	}},
}

// QueryOf returns the Query of a protocol.
func QueryOf(protocol string) (Query, error) {
	var names []string
	for _, p := range asked {
		if p.protocol == protocol {
			return p.query, nil
		}
		names = append(names, p.protocol)
	}
	slices.Sort(names)
	return nil, fmt.Errorf("a game cannot be asked in %q, but in %s", protocol, strings.Join(names, ", "))
}

// Ask queries the game at an address for its state periodically, until ctx is done.
func Ask(ctx context.Context, query Query, addr string, every time.Duration, h *state.Holder) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		v, err := query(ctx, addr)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			h.Fail(err)
		default:
			_, _ = h.Report(func(state.Snapshot) (lobbywire.View, error) { return v, nil })
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
