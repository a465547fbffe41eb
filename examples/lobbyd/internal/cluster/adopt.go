package cluster

import (
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/entries"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// adoptLocked takes over an entry from before the restart of this node if its host has no
// connection and therefore does not notice the restart.
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
		_, until, ok = decoded(entries.GameAgent(), id, body)
	case catalogue.GameSpy:
		_, until, ok = decoded(entries.GameSpy(), id, body)
	case catalogue.Warzone:
		var e warzonegames.Entry
		e, until, ok = decoded(entries.Warzone(), id, body)
		ok = ok && e.Source != warzonegames.SourceLobby
	}
	return until, ok
}

// decoded returns an entry and when it expires.
func decoded[E, K any](f *entries.Form[E, K], id string, body []byte) (e E, until time.Time, ok bool) {
	k, ok := f.ParseID(id)
	if !ok {
		return e, until, false
	}
	e, err := f.Decode(k, body)
	return e, f.Until(e), err == nil
}
