package wzhttpnet

import (
	"context"
	"crypto/subtle"
	"errors"
	"net"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzsign"
)

// RespondAlive appends the answer to the check of an HTTP lobby, as warzonenet.Host.RespondAlive
// does for other lobbies. req consists of all bytes that have arrived on the connection. It
// appends nothing if req is incomplete, comes from a player who joins, or does not come from the
// lobby. A check starts with 8 zero bytes, where players send the version of their netcode.
// [wzhttp.ParseProbe] fails with [lobbywire.ErrTruncated] while req is incomplete.
func (h *Host) RespondAlive(req, dst []byte) []byte {
	h.mu.Lock()
	created := h.created
	h.mu.Unlock()
	room, _ := h.announcer.Current()
	probe, err := wzhttp.ParseProbe(req)
	if err != nil || created.GameID == "" {
		return dst
	}
	if subtle.ConstantTimeCompare([]byte(probe.LobbyToken), []byte(created.LobbyToken)) == 0 {
		return dst
	}
	reply := wzhttp.ProbeReply{GameID: created.GameID}
	if h.Identity.trusts(h.Addr) {
		signer := wzsign.Signer{Key: h.Identity.Key, Name: room.Host.Name, Time: time.Now()}
		reply, err = signer.Reply(reply, probe.Challenge)
		if err != nil {
			return dst
		}
	}
	dst, _ = reply.AppendBinary(dst) // appends nothing if the lobby has sent an invalid id
	return dst
}

// ServeAlive answers the lobby as RespondAlive does, on the port of a game that does
// not listen itself, until Close. If Earlier is set, it answers both lobbies. It closes the
// connections of players. It owns l and closes it. Its error is never nil.
func (h *Host) ServeAlive(l net.Listener) error {
	h.ListensAt(l.Addr())
	if h.Earlier != nil {
		return h.alive.Serve(l, h.Logger, h.answerEither)
	}
	return h.alive.Serve(l, h.Logger, func(c *stream.Conn) ([]byte, error) {
		req, err := stream.Next(c, cutProbe)
		return h.RespondAlive(req, nil), err
	})
}

// cutProbe cuts the Probe of a lobby, or anything else that is complete, off b.
func cutProbe(b []byte) (req, rest []byte, err error) {
	if _, err := wzhttp.ParseProbe(b); errors.Is(err, lobbywire.ErrTruncated) {
		return nil, b, lobbywire.ErrTruncated
	}
	return b, nil, nil
}

// CheckJoin asks the lobby to check the token that a player has sent to the host. The host
// should refuse the player unless Pass is set.
func (h *Host) CheckJoin(ctx context.Context, m wzhttp.JoinCheck) (wzhttp.Verdict, error) {
	call := h.call(anyFamily, wzhttp.EndpointJoinCheck, m)
	if call.id == "" {
		return wzhttp.Verdict{}, warzonegames.ErrGone
	}
	ctx, cancel := context.WithTimeout(ctx, wzhttp.JoinCheckWait)
	defer cancel()
	b, err := call.persistent(ctx)
	if err != nil {
		return wzhttp.Verdict{}, stream.Outcome(err)
	}
	return wzhttp.ParseVerdict(b)
}
