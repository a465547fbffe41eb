package bombermannet

import (
	"strings"

	"github.com/lobbywire/lobbywire/bomberman"
)

// compact copies the texts of servers. The texts of a parsed message are
// substrings of one copy of the message, which may be mostly white space.
func compact(servers []bomberman.Server) {
	size := 0
	for _, s := range servers {
		size += len(s.Name) + len(s.Address)
	}
	var all strings.Builder
	all.Grow(size)
	own := func(s string) string {
		all.WriteString(s)
		return all.String()[all.Len()-len(s):]
	}
	for i := range servers {
		servers[i].Name, servers[i].Address = own(servers[i].Name), own(servers[i].Address)
	}
}

// compacted returns a server with copies of its texts.
func compacted(s bomberman.Server) bomberman.Server {
	s.Name, s.Address = strings.Clone(s.Name), strings.Clone(s.Address)
	return s
}
