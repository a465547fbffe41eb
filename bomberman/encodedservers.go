package bomberman

import (
	"bytes"
	"strconv"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// AppendListed appends the form of the server in a list, for [FrameServers]. It
// fails as [Server.Check] does.
func (m Server) AppendListed(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Uint8(',')
	m.append(&w)
	return w.Finish(proto)
}

// RoomForServers returns how many bytes of AppendListed fit in one
// [QueryGameServersResponse].
func RoomForServers() int {
	before, after := aroundServers()
	return maxSent - len(before) - len(after) + len(",")
}

// FrameServers makes parts the frame of a [QueryGameServersResponse], to be
// written one after the other. The parts between the first and the last hold the
// servers: any number of results of AppendListed, one after the other, in each. It
// sets the first and the last part, and cuts the comma before the first server.
// The servers must not be longer than [RoomForServers].
func FrameServers(parts [][]byte) {
	before, after := aroundServers()
	n := len(before) + len(after) + len("\n")
	first := true
	for i, p := range parts[1 : len(parts)-1] {
		if first && len(p) > 0 {
			p = p[len(","):]
			parts[1+i], first = p, false
		}
		n += len(p)
	}
	parts[0] = append(strconv.AppendInt(make([]byte, 0, len("65536")+len(before)), int64(n), 10), before...)
	parts[len(parts)-1] = append(after, '\n')
}

// aroundServers returns the parts of a list before and after the servers.
func aroundServers() (before, after []byte) {
	w := wire.NewWriter(make([]byte, 0, 128))
	new(QueryGameServersResponse).append(&w)
	empty, _ := w.Finish(proto)
	at := bytes.Index(empty, []byte("[]")) + 1
	return empty[:at:at], empty[at:]
}
