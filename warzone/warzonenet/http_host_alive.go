package warzonenet

import (
	"context"
	"crypto/subtle"
	"errors"
	"net"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// RespondAlive appends to dst the answer to req, all that has come on a connection to
// the game's port, if it is the lobby that checks there that the game is the one it
// lists. The game then closes the connection. It appends nothing if req is from a
// player who joins or not from the lobby, or not complete.
//
// It is for games that listen themselves, and may be called at any time. A check starts
// with 8 zero bytes, where players send the version of their netcode;
// [wzhttp.ParseProbe] tells whether more bytes will come.
func (h *HTTPHost) RespondAlive(req, dst []byte) []byte {
	h.mu.Lock()
	created, name := h.created, h.room.Host.Name
	h.mu.Unlock()
	probe, err := wzhttp.ParseProbe(req)
	if err != nil || created.GameID == "" || subtle.ConstantTimeCompare([]byte(probe.LobbyToken), []byte(created.LobbyToken)) == 0 {
		return dst
	}
	reply := wzhttp.ProbeReply{GameID: created.GameID}
	if h.Identity.trusts(h.Addr) {
		if reply, err = reply.Sign(h.Identity.Key, name, probe.Challenge, time.Now().Unix()); err != nil {
			return dst
		}
	}
	dst, _ = reply.AppendBinary(dst) // appends nothing if the lobby has given an id that is none
	return dst
}

// ServeAlive answers the lobby, as RespondAlive does, on the port of a game that does
// not listen itself, until Close. It closes the connections of players. It owns l and
// closes it. Its error is never nil.
func (h *HTTPHost) ServeAlive(l net.Listener) error {
	h.once.Do(h.init)
	return h.alive.Serve(l)
}

// maxProbe is the size of the longest check that ServeAlive answers, in bytes. Those of
// lobbies have some hundred.
const maxProbe = 4 << 10

func (h *HTTPHost) initAlive() {
	h.alive.Handler = func(_ context.Context, c *stream.Conn) {
		req, err := stream.Next(c, cutProbe)
		if err != nil {
			return
		}
		if _, err := c.Write(h.RespondAlive(req, nil)); err == nil {
			c.Finish()
		}
	}
	h.alive.Defaults = aliveLimits()
	h.alive.MaxFrame = maxProbe
	h.alive.Logger = h.Logger
}

// cutProbe cuts off a check by an HTTP lobby.
func cutProbe(b []byte) (req, rest []byte, err error) {
	if _, err := wzhttp.ParseProbe(b); errors.Is(err, lobbywire.ErrTruncated) {
		return nil, b, lobbywire.ErrTruncated
	}
	return b, nil, nil
}

// CheckJoin asks the lobby whether it has sent a player, who shows a token. The host
// should refuse the player unless the Verdict passes.
func (h *HTTPHost) CheckJoin(ctx context.Context, m wzhttp.JoinCheck) (wzhttp.Verdict, error) {
	h.mu.Lock()
	created := h.created
	h.mu.Unlock()
	if created.GameID == "" {
		return wzhttp.Verdict{}, ErrGone
	}
	ctx, cancel := context.WithTimeout(ctx, wzhttp.JoinCheckWait)
	defer cancel()
	call := h.call(anyFamily, wzhttp.EndpointJoinCheck)
	call.id, call.token, call.body = created.GameID, created.HostToken, m
	b, err := call.persistent(ctx)
	if err != nil {
		return wzhttp.Verdict{}, timeoutOf(err)
	}
	return wzhttp.ParseVerdict(b)
}
