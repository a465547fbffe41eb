package health

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

func warzoneClaim(e warzonegames.Entry) claim {
	c := claim{
		key:     strconv.FormatUint(uint64(e.ID), 10),
		from:    e.Key.Addr(),
		at:      e.Key,
		name:    lobbywire.UTF8(e.Game.Name),
		players: clamp(e.Game.CurrentPlayers),
		most:    clamp(e.Game.MaxPlayers),
		silent:  e.Unreachable,
	}
	if !e.Started {
		c.waiting = e.Opened
	}
	return c
}

// clamp returns a number of the wire as an int, whatever the size of int.
func clamp(n uint32) int { return int(min(n, 1<<31-1)) }

// warzoneEntry returns the entry of a game for the catalogue.
func warzoneEntry(e warzonegames.Entry) catalogue.Entry {
	g := e.Game
	c := catalogue.Entry{
		ID:         "warzone-" + strconv.FormatUint(uint64(e.ID), 10),
		Family:     catalogue.Warzone,
		Source:     e.Source.String(),
		Address:    e.Key.String(),
		Game:       "warzone2100",
		Name:       g.Name,
		Map:        g.MapName,
		Version:    g.VersionString,
		Players:    clamp(g.CurrentPlayers),
		MaxPlayers: clamp(g.MaxPlayers),
		Spectators: spectatorsOf(&e),
		Since:      e.Opened,
		Seen:       e.Seen,
		Verified:   e.Verified,
		Fields: []catalogue.Field{
			{Name: "name", Value: g.Name},
			{Name: "host", Value: g.Host},
			{Name: "hostPort", Value: strconv.Itoa(int(e.Key.Port()))},
			{Name: "gameId", Value: strconv.FormatUint(uint64(e.ID), 10)},
			{Name: "hostName", Value: g.HostName},
			{Name: "mapName", Value: g.MapName},
			{Name: "currentPlayers", Value: strconv.FormatUint(uint64(g.CurrentPlayers), 10)},
			{Name: "maxPlayers", Value: strconv.FormatUint(uint64(g.MaxPlayers), 10)},
			{Name: "versionString", Value: g.VersionString},
			{Name: "version of the protocol", Value: strconv.FormatUint(uint64(g.Version), 10)},
			{Name: "netcode", Value: fmt.Sprintf("%d.%d", g.NetcodeMajor, g.NetcodeMinor)},
			{Name: "modList", Value: g.ModList},
			{Name: "private", Value: strconv.FormatBool(g.Private != 0)},
			{Name: "os", Value: g.OS.String()},
			{Name: "limits", Value: g.Limits.String()},
			{Name: "extra", Value: g.Extra},
			{Name: "started", Value: strconv.FormatBool(e.Started)},
		},
	}
	if e.Tech != "" {
		c.Fields = append(c.Fields, catalogue.Field{Name: "tech", Value: e.Tech})
	}
	if e.Source == warzonegames.SourceHTTP {
		c.Address = "" // its lobby gives it only to players who join
		c.Fields = slices.DeleteFunc(c.Fields,
			func(f catalogue.Field) bool { return f.Name == "host" || f.Name == "hostPort" })
	}
	if e.Started {
		c.Mode = "being played"
	}
	return c
}

// spectatorsOf returns the spectators of a game. Hosts send them since about 4.2; before, the
// numbers are 0.
func spectatorsOf(e *warzonegames.Entry) catalogue.Spectators {
	now, places := e.Game.Spectators()
	isSent := e.Source == warzonegames.SourceLobby && e.Game.Version == warzone.Version4 && (now > 0 || places > 0)
	if !isSent && e.Source != warzonegames.SourceHTTP {
		return catalogue.Spectators{}
	}
	return catalogue.Spectators{Known: true, Now: int(now), Max: int(places)}
}

// sameWarzone reports whether two entries are the same, apart from their times and HTTP.
func sameWarzone(a, b warzonegames.Entry) bool {
	return a.Key == b.Key && a.ID == b.ID && a.Source == b.Source && a.Started == b.Started &&
		a.Verified == b.Verified && a.Withheld == b.Withheld && a.Unreachable == b.Unreachable &&
		a.Game == b.Game && a.Tech == b.Tech && a.Opened.Equal(b.Opened)
}

func warzoneItem(e warzonegames.Entry) item {
	return item{Entry: warzoneEntry(e), claim: warzoneClaim(e), reach: reachOf(&e),
		probe: func(ctx context.Context) error {
			return isPlayed(ctx, e)
		}}
}

// reachOf returns the result of the checks of a game by its lobby, or "" without such checks.
func reachOf(e *warzonegames.Entry) catalogue.Reach {
	switch {
	case e.Unreachable:
		return catalogue.Unreachable
	case e.Verified:
		return catalogue.Reachable
	}
	return ""
}
