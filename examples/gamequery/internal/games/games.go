// Package games is the table of games whose protocol and ports are known.
package games

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
)

// gamesTable is the table of games. Its comments explain the columns.
//
//go:embed games.tsv
var gamesTable string

// absentTable is the table of games of other protocols.
//
//go:embed absent.tsv
var absentTable string

// Absent returns the protocol, "a2s" or "quake", of a game that is not in the table because the
// library lacks its protocol, "" for all other names.
func Absent(name string) string {
	for line := range strings.Lines(absentTable) {
		protocol, names, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if slices.Contains(strings.Fields(names), strings.ToLower(name)) {
			return protocol
		}
	}
	return ""
}

// A Game is a row of the table. Empty fields are unknown.
type Game struct {
	Name, Title string
	Protocol    string
	Ask         string
	Port, Query string
	Aliases     []string
}

// All returns the rows of the table.
func All() []Game { return slices.Clone(rows()) }

var rows = sync.OnceValue(func() []Game {
	var all []Game
	for line := range strings.Lines(gamesTable) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for i := range columns {
			if columns[i] == "-" {
				columns[i] = ""
			}
		}
		all = append(all, Game{
			Name: columns[0], Title: columns[1], Protocol: columns[2], Ask: columns[3],
			Port: columns[4], Query: columns[5], Aliases: strings.Fields(columns[6]),
		})
	}
	return all[1:] // the first names the columns
})

// TitleOf returns the title of the game with a name, "" if it is not in the table.
func TitleOf(name string) string {
	all := All()
	if i := slices.IndexFunc(all, func(g Game) bool { return g.Is(name) }); i >= 0 {
		return all[i].Title
	}
	return ""
}

// Is reports whether a game has this name or title, in any case.
func (g Game) Is(name string) bool {
	return strings.EqualFold(g.Name, name) || strings.EqualFold(g.Title, name) ||
		slices.ContainsFunc(g.Aliases, func(alias string) bool { return strings.EqualFold(alias, name) })
}

// IsMinecraft reports whether the game is an edition of Minecraft. Its query clients have
// requests of their own.
func (g Game) IsMinecraft() bool { return g.Name == "minecraft" || g.Name == "minecraftbedrock" }

// Ports returns the ports of the game.
func (g Game) Ports() targets.Ports {
	var p targets.Ports
	p.Game = portOf(g.Port)
	if g.Name == "minecraft" {
		p.SRV = g.Name // Bedrock Edition has none
	}
	switch {
	case g.Query == "":
	case g.Query == "=":
		p.Query = p.Game
	case g.Query[0] == '+', g.Query[0] == '-':
		p.Offset, _ = strconv.Atoi(g.Query)
		p.Query = uint16(int(p.Game) + p.Offset)
	default:
		p.Query, p.Fixed = portOf(g.Query), true
	}
	return p
}

// MarshalJSON returns an object with the ports as numbers and without unknown members.
func (g Game) MarshalJSON() ([]byte, error) {
	p := g.Ports()
	return json.Marshal(struct {
		Game     string   `json:"game"`
		Title    string   `json:"title"`
		Protocol string   `json:"protocol"`
		Ask      string   `json:"ask,omitzero"`
		Port     uint16   `json:"port,omitzero"`
		Query    uint16   `json:"query,omitzero"`
		Offset   int      `json:"offset,omitzero"`
		Aliases  []string `json:"aliases,omitzero"`
	}{g.Name, g.Title, g.Protocol, g.Ask, p.Game, p.Query, p.Offset, g.Aliases})
}

func portOf(s string) uint16 {
	n, _ := strconv.ParseUint(s, 10, 16)
	return uint16(n)
}
