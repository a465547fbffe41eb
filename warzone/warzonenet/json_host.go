package warzonenet

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// A JSONHost keeps one game in the list of a lobby of the JSON proposal, and is used like a
// [ProposalHost]. It adds the game, and then sends updates and heartbeats. If the lobby
// refuses one of these, it has forgotten the game, so the JSONHost adds the game again.
type JSONHost struct {
	// Addr is the address of the lobby, host:port.
	Addr string

	// Timeout, Silence and Dial are as in a [JSONClient].
	Timeout time.Duration
	Silence time.Duration
	Dial    func(ctx context.Context, network, addr string) (net.Conn, error)

	// Every is the interval of heartbeats while nothing changes; 0 means 30 s.
	Every time.Duration

	Announced func(err error) // as in a [ProposalHost]

	Logger *slog.Logger // logs failures; nil is silent

	proposalAnnouncer[wzjson.Add]
	id string // of the listed game; only Run uses it
}

// Set replaces the description of the game. It fails as [wzjson.Add.AppendBinary]
// does; the description is then unchanged. Updates cannot remove a MaxPlayers that
// was set before. Values in Extra must not be changed.
func (h *JSONHost) Set(game wzjson.Add) error {
	if _, err := game.AppendBinary(nil); err != nil {
		return err
	}
	h.announcer.Set(game)
	return nil
}

// Run is like that of a [ProposalHost]. At its end it sends a Goodbye. If ctx ends during an
// announcement, the lobby may list the game until it expires.
func (h *JSONHost) Run(ctx context.Context) error {
	c := &JSONClient{Timeout: h.Timeout, Silence: h.Silence, Dial: h.Dial}
	return h.keepListed(ctx, announcements[wzjson.Add]{
		addr:      h.Addr,
		dial:      h.Dial,
		every:     cmp.Or(max(h.Every, 0), 30*time.Second),
		announce:  func(ctx context.Context, game wzjson.Add, isNew bool) error { return h.announce(ctx, c, game, isNew) },
		leave:     func(ctx context.Context) error { return h.leave(ctx, c) },
		announced: h.Announced,
		logger:    h.Logger,
	})
}

// announce sends the current description of the game.
func (h *JSONHost) announce(ctx context.Context, c *JSONClient, game wzjson.Add, isNew bool) (err error) {
	switch {
	case h.id == "":
	case isNew:
		err = c.Update(ctx, h.Addr, wzjson.Update{ID: h.id, Fields: fieldsOf(&game)})
	default:
		err = c.Heartbeat(ctx, h.Addr, h.id)
	}
	if h.id == "" || isRefusal(err) {
		h.id, err = c.Add(ctx, h.Addr, game)
	}
	return err
}

// leave sends a Goodbye.
func (h *JSONHost) leave(ctx context.Context, c *JSONClient) error {
	if h.id == "" {
		return nil
	}
	id := h.id
	h.id = ""
	return c.Goodbye(ctx, h.Addr, id)
}

// fieldsOf returns the fields of a game for an update.
func fieldsOf(m *wzjson.Add) wzjson.Fields {
	f := wzjson.Fields{Name: &m.Name, Map: &m.Map, Tech: &m.Tech, Extra: m.Extra}
	if m.MaxPlayers != 0 {
		f.MaxPlayers = &m.MaxPlayers
	}
	return f
}
