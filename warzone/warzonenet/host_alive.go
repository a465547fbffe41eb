package warzonenet

import (
	"net"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
)

// RespondAlive answers a lobby that connects to the game's port to check that its game runs
// there. The argument req is the first [warzone.AliveSize] bytes of the connection.
// RespondAlive appends the answer to dst; the game should send it and close the connection.
// It appends nothing if req is from a player who joins, or if the lobby has not sent the id
// of the game yet. After a lost connection it answers with the last id, as the game does,
// because a restarted lobby may check its saved games.
//
// It is for games that listen themselves, and may be called at any time. Lobbies
// check before they answer the announcement. Lobbies for versions before 4.x connect
// and send nothing.
func (h *Host) RespondAlive(req, dst []byte) []byte {
	h.mu.Lock()
	id := h.lastID
	h.mu.Unlock()
	if _, err := warzone.ParseAliveRequest(req); err != nil || id == 0 {
		return dst
	}
	dst, _ = warzone.AliveReply{Version: warzone.AliveVersion, GameID: id}.AppendBinary(dst)
	return dst
}

// ServeAlive answers lobbies as RespondAlive does, on the port of a game that does not
// listen itself, until Close. It closes the connections of players. It owns l and closes it. Its
// error is never nil.
func (h *Host) ServeAlive(l net.Listener) error {
	h.ListensAt(l.Addr())
	return h.alive.Serve(l, h.Logger, func(c *stream.Conn) ([]byte, error) {
		req, err := stream.Next(c, cutAlive)
		return h.RespondAlive(req, nil), err
	})
}

// cutAlive cuts the first message of a connection off b.
func cutAlive(b []byte) (req, rest []byte, err error) {
	if len(b) < warzone.AliveSize {
		return nil, b, lobbywire.ErrTruncated
	}
	return b[:warzone.AliveSize], b[warzone.AliveSize:], nil
}
