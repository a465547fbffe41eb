package cluster

import (
	"encoding/json"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/entries"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// adoptLocked takes over an entry from before the restart of this node if its host has no
// connection, and so does not notice the restart.
func (c *Cluster) adoptLocked(key, family, id string, by writer, body []byte, written time.Time) {
	if by.node != c.self.node {
		return
	}
	until, ok := unconnectedUntil(catalogue.Family(family), id, body)
	if !ok {
		return
	}
	c.own.adopt(key, item{by: by, body: body, until: until, written: written, generation: c.copy.generation})
}

// unconnectedUntil returns when an entry expires whose host has no connection to its node.
// ok is false for other entries.
func unconnectedUntil(f catalogue.Family, id string, body []byte) (until time.Time, ok bool) {
	switch f {
	case catalogue.GameAgent:
		return seenWithin(gameagentnet.Expiry, body)
	case catalogue.GameSpy:
		return seenWithin(gamespy2net.Expiry, body)
	case catalogue.Warzone:
		games := entries.Warzone()
		k, ok := games.ParseID(id)
		if !ok {
			return time.Time{}, false
		}
		e, ok := games.Decode(k, body)
		return e.Expires, ok && e.Source != warzonegames.SourceLobby
	}
	return time.Time{}, false
}

// seenWithin returns the end of an entry that expires a time after its Seen.
func seenWithin(expiry time.Duration, body []byte) (until time.Time, ok bool) {
	var b struct {
		Seen int64 `json:"s"` // as in the forms of package entries
	}
	if json.Unmarshal(body, &b) != nil {
		return time.Time{}, false
	}
	return time.UnixMilli(b.Seen).Add(expiry), true
}
