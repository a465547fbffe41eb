package web_test

import (
	"fmt"
	"math"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
)

// A shown is a Server with its catalogue.
type shown struct {
	*httptest.Server
	web *web.Server
	all catalogue.Catalogue
	now time.Time
}

func show(t *testing.T, change func(*web.Server)) *shown {
	s := &shown{now: time.Now().Truncate(time.Second)}
	s.web = &web.Server{Catalogue: &s.all}
	if change != nil {
		change(s.web)
	}
	s.Server = httptest.NewServer(s.web)
	t.Cleanup(func() {
		if err := s.web.Shutdown(t.Context()); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
		s.Server.Close()
	})
	return s
}

// set replaces all entries, one family after the other.
func (s *shown) set(entries ...catalogue.Entry) {
	for _, f := range catalogue.Families() {
		var put []*catalogue.Entry
		var gone []string
		for _, e := range s.all.Snapshot().Entries {
			if e.Family == f {
				gone = append(gone, e.ID)
			}
		}
		for _, e := range entries {
			if e.Family == f {
				put = append(put, &e)
			}
		}
		s.all.Update(put, gone, s.now)
	}
}

func game(family catalogue.Family, id int, name string, players int) catalogue.Entry {
	seen := time.Now().Truncate(time.Second)
	return catalogue.Entry{
		ID: fmt.Sprintf("%s-%d", family, id), Family: family, Source: string(family), Node: "oslo",
		Address: fmt.Sprintf("192.0.2.%d:%d", 1+id%250, 2100+id), Name: name, Players: players, MaxPlayers: 8,
		Since: seen.Add(-time.Hour), Seen: seen, Verified: true, Reach: catalogue.Reachable,
		Fields: []catalogue.Field{{Name: "name", Value: name}, {Name: "players", Value: strconv.Itoa(players)}},
	}
}

// evening returns typical games, some of them with unusual values.
func evening(n int) []catalogue.Entry {
	type kind struct {
		family         catalogue.Family
		source, game   string
		names          []string
		maps           []string
		modes          []string
		versions       []string
		port, capacity int
	}
	kinds := []kind{
		{catalogue.Warzone, "lobby", "warzone2100",
			[]string{"Rush, no towers", "Bunker night", "Newcomers welcome", "Ранкед 2v2",
				"T1 bases, 4 players", "Cobra only"},
			[]string{"Rush", "Startup", "Sk-Concrete", "Mountain-4c", "Great Rift"},
			[]string{"T1 no bases", "T2 bases", "T3 advanced"}, []string{"4.3.3", "4.4.2", "4.5.5"}, 2100, 10},
		{catalogue.GameAgent, "gameagent", "serioussamse",
			[]string{"Sirian Night Watch", "The Grand Cathedral, coop", "Karnak deathmatch 24/7", "Frag Harbour",
				"Νυχτερινή βάρδια", "Oasis coop, serious"},
			[]string{"Hatshepsut", "Sand Canyon", "Karnak", "Luxor", "Desert Temple"},
			[]string{"Cooperative", "Deathmatch", "Scorematch"}, []string{"1.05", "1.07"}, 25600, 16},
		{catalogue.Bomberman, "bomberman", "bomberman",
			[]string{"Four corners", "Blast radius", "Bombs and biscuits", "Last one standing", "مباراة الليلة"},
			[]string{"13 × 11", "21 × 21", "7 × 7"}, []string{"round", "lobby"}, []string{"1.0"}, 51964, 4},
	}
	now := time.Now().Truncate(time.Second)
	var all []catalogue.Entry
	for i := range n {
		k := kinds[(i*7+i/5)%3]
		e := game(k.family, i, k.names[i%len(k.names)], 0)
		e.Source, e.Map, e.Mode, e.Version = k.source, k.maps[i/2%len(k.maps)], k.modes[i%len(k.modes)],
			k.versions[i%len(k.versions)]
		if i >= len(k.names)*3 {
			e.Name += fmt.Sprintf(" #%d", i)
		}
		e.Game = k.game
		e.Node = []string{"oslo", "porto", "riga"}[i%3]
		e.Address = fmt.Sprintf("%s:%d",
			[]string{"192.0.2", "198.51.100", "203.0.113"}[i%3]+"."+strconv.Itoa(1+i*37%250), k.port+i%4)
		e.MaxPlayers = k.capacity
		e.Players = (i*i*5 + i/3) % (k.capacity + 1) * (i % 5) / 4
		e.Since = now.Add(-time.Duration(i*i*97%90000) * time.Second)
		e.Verified = i%4 != 3
		e.Reach = []catalogue.Reach{catalogue.Reachable, catalogue.Reachable, catalogue.Unknown, catalogue.Reachable,
			catalogue.Unreachable}[i*3/2%5]
		e.Fields = []catalogue.Field{
			{Name: "name", Value: e.Name}, {Name: "map", Value: e.Map}, {Name: "gametype", Value: e.Mode},
			{Name: "version", Value: e.Version},
			{Name: "players", Value: strconv.Itoa(e.Players)}, {Name: "maxplayers", Value: strconv.Itoa(e.MaxPlayers)},
			{Name: "hostname", Value: "player-" + strconv.Itoa(i)}, {Name: "motd", Value: "be kind\nhave fun \x1b[31m"},
		}
		switch i {
		case 5:
			e.Players, e.MaxPlayers, e.Quarantine = 4000, 8, "4000 players of at most 8"
		case 17:
			e.Official = true
		case 20:
			e.Name = "^cff8000Karnak ^c00c0ffNights^r coop"
		case 8:
			e.Name = `<img src=x onerror=alert(1)> & "friends"`
		case 11:
			e.Players, e.MaxPlayers = -1, -1
		case 14:
			e.Name = "evil \u202egnp.exe\u202c \x07 \xff"
		}
		all = append(all, e)
	}
	return all
}

// day fills the history of a catalogue with one day that has a gap.
func (s *shown) day(entries []catalogue.Entry) {
	now := s.now
	for i := range 144 {
		if i > 30 && i < 38 {
			continue
		}
		s.now = now.Add(-time.Duration(143-i) * catalogue.Span)
		share := .62 + .3*math.Sin(float64(i)/23-4.2) + .02*math.Sin(float64(i*i))
		s.set(entries[:int(share*float64(len(entries)))]...)
	}
	s.now = now
	s.set(entries...)
}
