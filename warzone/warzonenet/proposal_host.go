package warzonenet

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A ProposalHost keeps one game in the list of a lobby of the text or the binary proposal.
// It is used like a [Host]; Start reports that the game is being played.
//
// A change is announced at once, but at least a second after the last announcement. After a
// failure, the game is announced again with a back-off from about 5 s to 5 min.
type ProposalHost struct {
	// Addr is the address of the lobby, host:port.
	Addr string

	// Encoding is the encoding that the lobby uses.
	Encoding wzproposal.Encoding

	// Timeout and Dial are as in a [ProposalClient].
	Timeout time.Duration
	Dial    func(ctx context.Context, network, addr string) (net.Conn, error)

	// Every is the interval of announcements while nothing changes; 0 means 200
	// s, because a [ProposalLobby] forgets a game after 10 minutes.
	Every time.Duration

	// Announced, unless nil, is called by Run after each announcement. The error is nil
	// if the lobby lists the game, and a [*LobbyError] if it refuses to.
	Announced func(err error)

	Logger *slog.Logger // logs failures; nil is silent

	proposalAnnouncer[proposalGame]
	listed uint16 // the port at which the lobby may list the game, or 0; only Run uses it
}

// A proposalGame is the description of a game.
type proposalGame struct {
	wzproposal.OpenGame
	started bool
}

// openEvery is the default of Every, so that two announcements in a row may fail.
const openEvery = 200 * time.Second

// Set replaces the description of the game, and reports that players can join it. It fails
// as [wzproposal.Encoding.Append] does; the description is then unchanged.
func (h *ProposalHost) Set(game wzproposal.OpenGame) error {
	if _, err := h.Encoding.Append(nil, game); err != nil {
		return err
	}
	h.announcer.Set(proposalGame{OpenGame: game})
	return nil
}

// Start reports that the game is being played, until Set is called again.
func (h *ProposalHost) Start() {
	h.announcer.Change(func(game *proposalGame) { game.started = true })
}

// Run keeps the game announced until ctx is done or Close is called, and then
// closes the game, which may take 5 s more. After ctx is done, Run can be called
// again. Its errors are those of [Host.Run].
func (h *ProposalHost) Run(ctx context.Context) error {
	c := &ProposalClient{Encoding: h.Encoding, Timeout: h.Timeout, Dial: h.Dial}
	return h.keepListed(ctx, announcements[proposalGame]{
		addr:      h.Addr,
		dial:      h.Dial,
		every:     cmp.Or(max(h.Every, 0), openEvery),
		announce:  func(ctx context.Context, game proposalGame, _ bool) error { return h.announce(ctx, c, game) },
		leave:     func(ctx context.Context) error { return h.leave(ctx, c) },
		announced: h.Announced,
		logger:    h.Logger,
	})
}

// announce sends the current description of the game. It opens a started game
// again if the lobby has forgotten it.
func (h *ProposalHost) announce(ctx context.Context, c *ProposalClient, game proposalGame) error {
	if h.listed != game.Port {
		if err := h.leave(ctx, c); err != nil {
			return err
		}
	}
	start := wzproposal.StartGame{Port: game.Port}
	if game.started && h.listed != 0 {
		if err := c.StartGame(ctx, h.Addr, start); !isRefusal(err) {
			return err
		}
	}
	h.listed = game.Port // even if the answer is lost, the game may be listed
	if err := c.OpenGame(ctx, h.Addr, game.OpenGame); err != nil || !game.started {
		return err
	}
	return c.StartGame(ctx, h.Addr, start)
}

// leave closes the game. It is not a failure if the lobby does not list it.
func (h *ProposalHost) leave(ctx context.Context, c *ProposalClient) error {
	if h.listed == 0 {
		return nil
	}
	err := c.CloseGame(ctx, h.Addr, wzproposal.CloseGame{Port: h.listed})
	if err != nil && !isRefusal(err) {
		return err
	}
	h.listed = 0
	return nil
}
