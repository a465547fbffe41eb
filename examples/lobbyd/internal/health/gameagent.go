package health

import (
	"cmp"
	"context"
	"net/netip"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/colour"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// gameagentClaim returns the claim of a server, from its heartbeat and its answer to a
// query.
func (j *Judge) gameagentClaim(e gamespy1net.Entry) claim {
	c := claim{key: e.Game.String(), from: e.Game.Addr(), at: e.Game, players: -1, most: -1}
	if s, err := j.parseStatus(e); err == nil {
		c.name, c.players, c.most = s.HostName, countOf(s.NumPlayers), countOf(s.MaxPlayers)
		c.name, c.codes = lobbywire.UTF8(c.name), colour.Legacy(e.GameName)
		return c
	}
	if h, err := e.Parse(); err == nil {
		c.players, c.most = countOf(h.Players), countOf(h.MaxPlayers)
	}
	c.name, c.codes = lobbywire.UTF8(e.Session.Name), colour.SeriousSam
	return c
}

// parseStatus parses the answer of a server of the legacy form, with texts in UTF-8 if the
// encoding of the game is known.
func (j *Judge) parseStatus(e gamespy1net.Entry) (gamespy1.Status, error) {
	return gamespy1.Options{Text: j.textOf(e.GameName)}.ParseStatus([]byte(e.Status))
}

// gameagentEntry returns the entry of a server for the catalogue.
func (j *Judge) gameagentEntry(e gamespy1net.Entry) catalogue.Entry {
	c := catalogue.Entry{
		ID:         gameagentID(e.Game),
		Family:     catalogue.GameAgent,
		Source:     "gameagent",
		Address:    e.Game.String(),
		Query:      queryOf(e.Game),
		Via:        e.Local,
		Players:    -1,
		MaxPlayers: -1,
		Seen:       e.Seen,
		Verified:   true, // it has returned the challenge of the master, or answered its query
	}
	if s, err := j.parseStatus(e); err == nil {
		c.Source, c.Game = "legacy", e.GameName
		c.Name, c.Map, c.Mode, c.Version = s.HostName, s.MapName, s.GameType, s.GameVersion
		v := e.View()
		c.Players, c.MaxPlayers = countOf(v.Players), countOf(v.Max)
		c.Address = c.Query.String() // the same in many games, and nothing else is known
		if v.Port > 0 {
			c.Address = netip.AddrPortFrom(e.Game.Addr(), v.Port).String()
		}
		c.Fields = append(c.Fields, catalogue.Field{Name: "game", Value: e.GameName})
		for _, r := range s.View().Rules {
			c.Fields = append(c.Fields, catalogue.Field{Name: r.Key, Value: r.Value})
		}
		return c
	}
	if h, err := e.Parse(); err == nil {
		c.Game, c.Map, c.Mode, c.Version = h.Product, h.Level, h.GameType, h.Version
		c.Players, c.MaxPlayers = countOf(h.Players), countOf(h.MaxPlayers)
		for _, r := range h.View().Rules {
			c.Fields = append(c.Fields, catalogue.Field{Name: r.Key, Value: r.Value})
		}
	}
	if s := e.Session; s != (gamespy1net.Session{}) {
		c.Name, c.Game = s.Name, cmp.Or(s.GameName, c.Game)
		c.Fields = append(c.Fields,
			catalogue.Field{Name: "sessionname", Value: s.Name},
			catalogue.Field{Name: "gamename", Value: s.GameName},
		)
	}
	return c
}

// countOf returns a number of players, -1 if it is unknown.
func countOf(n *int) int {
	if n == nil {
		return -1
	}
	return *n
}

// queryOf returns the query port of a game, or an invalid address if it has none.
func queryOf(game netip.AddrPort) netip.AddrPort {
	query, err := gameagent.QueryAddr(game)
	if err != nil {
		return netip.AddrPort{}
	}
	return query
}

// gameagentID returns the ID of a server, which is safe in a URL.
func gameagentID(game netip.AddrPort) string {
	return "gameagent-" + game.Addr().String() + "-" + strconv.Itoa(int(game.Port()))
}

// sameGameAgent reports whether two entries are the same, apart from Seen and Extra.
func sameGameAgent(a, b gamespy1net.Entry) bool {
	return a.Game == b.Game && a.Heartbeat == b.Heartbeat && a.Status == b.Status && a.GameName == b.GameName &&
		a.Synced == b.Synced && a.Withheld == b.Withheld && a.Local == b.Local && a.Session == b.Session
}

func (w *Watcher) gameagentItem(e gamespy1net.Entry) item {
	x := item{Entry: w.Judge.gameagentEntry(e), claim: w.Judge.gameagentClaim(e)}
	if e.Status == "" {
		x.game = e.Game
	} else {
		x.probe = func(ctx context.Context) error { return answersLegacy(ctx, e) }
	}
	return x
}
