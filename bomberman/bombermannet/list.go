package bombermannet

import (
	"bytes"
	"net"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire/bomberman"
)

// A list is what queries are answered with. Its entries are encoded when they
// change, and the answer consists of them as they are.
type list struct {
	head, tail   []byte // of the JSON object, around the entries
	open, closed roll   // game servers, by whether players can join
	withheld     roll   // game servers that are not in the answer
}

func (l *list) rolls() []*roll { return []*roll{&l.open, &l.closed, &l.withheld} }

// A member is a game server that can be listed.
type member struct {
	Entry
	away    bool   // known from the Store: another node has its connection
	encoded []byte // as it stands in the list, a comma in front
	on      *roll  // nil if it is neither listed nor withheld
	place   int    // there
}

// now returns a member as it is now.
func (s *member) now() Entry {
	e := s.Entry
	if !s.away {
		e.Seen = time.Now()
	}
	return e
}

// maxSent is the longest JSON object that is sent. With its newline it has as
// many bytes as every client has to accept.
const maxSent = bomberman.MaxPayload - 1

// maxEntry bounds an entry of the list, in bytes, so that no game server takes
// the room of very many others.
const maxEntry = 1024

func (l *list) init() {
	empty, _ := bomberman.QueryGameServersResponse{}.MarshalBinary()
	at := bytes.Index(empty, []byte("[]")) + 1
	l.head, l.tail = empty[:at], append(empty[at:len(empty):len(empty)], '\n')
}

// encode returns a game server as it stands in the list.
func (l *list) encode(s bomberman.Server) ([]byte, error) {
	alone, err := bomberman.QueryGameServersResponse{Servers: []bomberman.Server{s}}.MarshalBinary()
	if err != nil {
		return nil, err
	}
	// The bracket before it makes room for the comma, the end is longer by a
	// newline.
	entry := bytes.Clone(alone[len(l.head)-1 : len(alone)+1-len(l.tail)])
	entry[0] = ','
	return entry, nil
}

// set lists a member with a new entry, or withholds it.
func (l *list) set(s *member, encoded []byte) {
	s.encoded = encoded
	to := &l.closed
	switch {
	case s.Withheld:
		to = &l.withheld
	case s.Server.IsLobbyOpen:
		to = &l.open
	}
	switch s.on {
	case to:
		to.write(s.place / perPage)
		return
	case nil:
	default:
		s.on.remove(s)
	}
	to.add(s)
}

// unset neither lists nor withholds a member.
func (l *list) unset(s *member) {
	if s.on != nil {
		s.on.remove(s)
	}
	s.Withheld = false
}

// len returns how many game servers are listed.
func (l *list) len() int { return len(l.open.members) + len(l.closed.members) }

// answer returns a frame of all that are listed or, if they are too many, of
// as many as it holds: those that players can join first. Each answer then goes
// on where the last one ended.
func (l *list) answer() net.Buffers {
	v := make(net.Buffers, 1, 2+len(l.open.pages)+len(l.closed.pages))
	around := len(l.head) + len(l.tail) - len("\n") - len(",")
	v, left := l.open.appendNext(v, maxSent-around)
	v, left = l.closed.appendNext(v, left)
	length := maxSent - left
	if len(v) > 1 {
		v[1] = v[1][len(","):]
	} else {
		length += len(",")
	}
	v[0] = append(strconv.AppendInt(nil, int64(length+len("\n")), 10), l.head...)
	return append(v, l.tail)
}
