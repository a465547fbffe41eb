package bombermannet

import (
	"net"

	"github.com/lobbywire/lobbywire/bomberman"
)

// A list holds the encoded game servers for answers to queries. Entries are encoded when
// they change.
type list struct{ open, closed group } // by whether players can join

// groupOf returns the group of a game server.
func (l *list) groupOf(s *registered) *group {
	if s.server.IsLobbyOpen {
		return &l.open
	}
	return &l.closed
}

// isCut reports whether the game servers do not fit in one answer.
func (l *list) isCut() bool { return l.open.size+l.closed.size > bomberman.RoomForServers() }

// answer returns a frame with all listed game servers. If they do not fit, it contains as
// many as fit, starting with servers that players can join, and the next answer continues
// where this one ends.
func (l *list) answer() net.Buffers {
	v := make(net.Buffers, 1, 2+len(l.open.pages)+len(l.closed.pages))
	v, left := l.open.appendNext(v, bomberman.RoomForServers())
	v, _ = l.closed.appendNext(v, left)
	v = append(v, nil)
	bomberman.FrameServers(v)
	return v
}
