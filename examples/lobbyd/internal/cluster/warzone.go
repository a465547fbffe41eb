package cluster

import (
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// lease is how long a game of another node stays listed without news from the
// cluster. There is news much sooner, unless this node is cut off.
const lease = 2 * time.Minute

func warzoneStore(c *Cluster) *shared[warzonegames.Entry, uint32] {
	return &shared[warzonegames.Entry, uint32]{
		cluster: c,
		family:  catalogue.Warzone,
		id:      numberID[uint32],
		parseID: parseNumberID[uint32],
		encode:  encodeWarzone,
		decode: func(id uint32, body []byte, floor time.Time) (warzonegames.Entry, bool) {
			e, ok := decodeWarzone(id, body)
			// The clocks of nodes differ, and a node that is cut off keeps its games,
			// so the cluster decides when a game is gone.
			e.Expires = latest(e.Expires, time.Now().Add(max(lease, 2*c.options.TTL)))
			e.Seen = latest(e.Seen, floor)
			return e, ok
		},
	}
}

// encodeWarzone returns the JSON form of an entry, without what the Games of each
// node sets.
func encodeWarzone(e warzonegames.Entry) (uint32, []byte, time.Time) {
	e.Game.Host, e.Game.GameID, e.Withheld = "", 0, false
	body, _ := lobbywire.MarshalJSON(e) // does not fail
	return e.ID, body, e.Expires
}

func decodeWarzone(id uint32, body []byte) (e warzonegames.Entry, ok bool) {
	if lobbywire.UnmarshalJSON(body, &e) != nil {
		return warzonegames.Entry{}, false
	}
	e.ID = id
	return e, true
}
