package bombermannet

import (
	"bytes"
	"net"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/bomberman"
)

// A list has the game servers for the answer to queries. Entries are encoded
// when they change; an answer consists of encoded entries.
type list struct {
	open, closed group // game servers, by whether players can join
	withheld     group // game servers that are not in the answer
}

// A member is a game server that can be listed.
type member struct {
	Entry
	away    bool      // from the Store: another node has its connection
	told    bool      // the Store has it
	shared  time.Time // when the Store last received it
	encoded []byte    // the entry in the list
	in      *group    // nil if it is neither listed nor withheld
	place   int       // in that group
}

// now returns the current entry of a member.
func (s *member) now() Entry {
	e := s.Entry
	if !s.away {
		e.Seen = time.Now()
	}
	return e
}

// maxEntry bounds the size of an entry in the list, in bytes, so that no game
// server takes the space of many others.
const maxEntry = 1024

// encode returns the entry of a game server in the list.
func encode(s bomberman.Server) ([]byte, error) {
	b, err := s.AppendListed(make([]byte, 0, 256)) // enough for most
	return bytes.Clone(b), err
}

// compacted returns a server with copies of its texts.
func compacted(s bomberman.Server) bomberman.Server {
	s.Name, s.Address = strings.Clone(s.Name), strings.Clone(s.Address)
	return s
}

// set lists a member with a new entry, or withholds it.
func (l *list) set(s *member, encoded []byte) {
	same := bytes.Equal(s.encoded, encoded)
	s.encoded = encoded
	to := &l.closed
	switch {
	case s.Withheld:
		to = &l.withheld
	case s.Server.IsLobbyOpen:
		to = &l.open
	}
	switch {
	case s.in == to && same:
	case s.in == to:
		to.write(s.place / perPage)
	default:
		if s.in != nil {
			s.in.remove(s)
		}
		to.add(s)
	}
}

// unset removes a member from the list, so that it is neither listed nor
// withheld.
func (l *list) unset(s *member) {
	if s.in != nil {
		s.in.remove(s)
	}
	s.Withheld = false
}

// len returns the number of listed game servers.
func (l *list) len() int { return len(l.open.members) + len(l.closed.members) }

// answer returns a frame with all listed game servers. If they do not fit, it
// has as many as fit, beginning with those that players can join. The next
// answer then continues where this one ends.
func (l *list) answer() net.Buffers {
	v := make(net.Buffers, 1, 2+len(l.open.pages)+len(l.closed.pages))
	v, left := l.open.appendNext(v, bomberman.RoomForServers())
	v, _ = l.closed.appendNext(v, left)
	v = append(v, nil)
	bomberman.FrameServers(v)
	return v
}
