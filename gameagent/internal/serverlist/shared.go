package serverlist

import (
	"cmp"
	"hash/maphash"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// Start begins to share the servers over a Store of Servers.
func (l *List) Start(games map[string]Rules) {
	l.games.Store(newGames(games))
	l.seed = maphash.MakeSeed()
	l.Servers.Expiry = Expiry
	l.Servers.Start(l, l.put, l.Servers.Forget)
}

// put lists a server that another node has listed. It ignores invalid entries.
func (l *List) put(e Entry) {
	from := SourceOf(e.Game)
	g := l.Game(e.GameName)
	if e.Game.Port() == 0 || !Listable(from) || len(e.Heartbeat) > gameagent.MaxHeartbeat ||
		len(e.Status) > gameagent.MaxPacket || e.Heartbeat == "" && (e.Status == "" || g == nil) {
		return
	}
	l.Servers.Merge(from, e.Seen, func(t *Locked, i int) {
		s := t.Value(i)
		s.local, s.extra = e.Local, e.Extra
		session := s.session
		if e.Session != (Session{}) && e.Session.isShort() {
			s.session = e.Session
		}
		if g == nil {
			e.Status = ""
		}
		if t.State(i) != registry.Hidden { // keep what this node knows of the other protocol
			e.Synced = e.Synced && s.synced
			e.Heartbeat = cmp.Or(e.Heartbeat, s.heartbeat)
			if e.Status == "" {
				e.Status, g = s.status, s.game
			}
			if s.heartbeat == e.Heartbeat && s.status == e.Status && s.game == g && s.session == session {
				s.synced = e.Synced
				return
			}
		}
		isNew := t.State(i) == registry.Hidden
		s.status, s.game, s.synced = e.Status, g, e.Synced
		l.setHeartbeat(t, i, e.Heartbeat)
		l.decide(t, i)
		if isNew {
			l.checkMoved(t, i, time.Now())
		}
	})
}
