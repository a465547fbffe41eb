package bombermannet

import (
	"encoding/json"
	"net/netip"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// registered is a game server with a connection to this node or another one.
type registered struct {
	server  bomberman.Server
	from    netip.AddrPort             // peer of the connection
	seen    time.Time                  // by the other node; zero for a connection to this node
	encoded []byte                     // the entry in the list
	index   int                        // in its group while it is listed
	extra   map[string]json.RawMessage // of its Entry

	// shadowed reports that another entry of its endpoint is listed in its place.
	shadowed bool
}

// locked gives access to the game servers of a catalogue while its lock is held.
type locked = registry.Locked[uint64, registered, Entry]

// compacted returns a server with copies of its texts.
func compacted(s bomberman.Server) bomberman.Server {
	s.Name, s.Address = strings.Clone(s.Name), strings.Clone(s.Address)
	return s
}
