package health

import (
	"context"
	"net/netip"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/colour"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

func (j *Judge) gameSpyClaim(e gamespy2net.Entry) claim {
	c := claim{key: e.Addr.String(), from: e.Addr.Addr(), at: e.Addr}
	v := j.gameSpyView(e)
	c.name, c.codes = v.Name, colour.Quake
	c.players, c.most = countOf(v.Players), countOf(v.Max)
	return c
}

// gameSpyView returns the view of a server, with texts in the encoding of the game.
func (j *Judge) gameSpyView(e gamespy2net.Entry) lobbywire.View {
	m, _ := qr2.Options{Text: j.textOf(e.Game)}.ParseHeartbeat([]byte(e.Heartbeat)) // no keys if it fails
	return m.View()
}

// gameSpyEntry returns the entry of a server for the catalogue.
func (j *Judge) gameSpyEntry(e gamespy2net.Entry) catalogue.Entry {
	v, said := j.gameSpyView(e), j.gameSpyClaim(e)
	c := catalogue.Entry{
		ID:         "gamespy2-" + e.Addr.Addr().String() + "-" + strconv.Itoa(int(e.Addr.Port())),
		Family:     catalogue.GameSpy,
		Source:     "gamespy2",
		Address:    e.Addr.String(),
		Query:      e.Addr,
		Via:        e.Local,
		Game:       e.Game,
		Name:       v.Name,
		Map:        v.Map,
		Mode:       v.Mode,
		Version:    v.Version,
		Players:    said.players,
		MaxPlayers: said.most,
		Seen:       e.Seen,
		Verified:   true, // it has answered the challenge of the master
	}
	if v.Port != 0 {
		c.Address = netip.AddrPortFrom(e.Addr.Addr(), v.Port).String()
	}
	for _, r := range v.Rules {
		c.Fields = append(c.Fields, catalogue.Field{Name: r.Key, Value: r.Value})
	}
	return c
}

// sameGameSpy reports whether two entries are the same, apart from Seen and Extra.
func sameGameSpy(a, b gamespy2net.Entry) bool {
	return a.Game == b.Game && a.Addr == b.Addr && a.Heartbeat == b.Heartbeat && a.Withheld == b.Withheld &&
		a.NeedsChallenge == b.NeedsChallenge && a.Local == b.Local
}

func (w *Watcher) gameSpyItem(e gamespy2net.Entry) item {
	return item{Entry: w.Judge.gameSpyEntry(e), claim: w.Judge.gameSpyClaim(e),
		probe: func(ctx context.Context) error {
			_, err := (&gamespy2net.Client{Dial: catalogue.DialFrom(e.Local)}).Query(ctx, e.Addr.String())
			return err
		}}
}
