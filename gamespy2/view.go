package gamespy2

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Keys and columns of some games only.
const (
	ut3Bots     = "p268435703"
	ut3Map      = "p1073741825"
	ut3GameType = "p1073741826"
	ut3Password = "s7"
	numBots     = "numbots"
	botColumn   = "AIBot_"
)

// View returns the response in the common form.
//
//	Name      hostname
//	Game      gamename; game_id of Minecraft, in lower case
//	Map       mapname; map of Minecraft, p1073741825 of Unreal Tournament 3
//	Mode      gametype; p1073741826 of Unreal Tournament 3
//	Version   gamever; version of Minecraft
//	Port      hostport
//	Players   numplayers
//	Bots      the number of players with AIBot_ or whose ngsecret_ is Bot, in a response with
//	          all players; numbots; p268435703 of Unreal Tournament 3
//	Max       maxplayers
//	Password  password; s7 of Unreal Tournament 3
//	Roster    Players: player_, score_ (rounded), ping_, team_, AIBot_, kills_, deaths_, and
//	          all other columns as Rules
//	Teams     Teams: team_t and score_t (rounded)
//	Rules     Info; known numbers of Unreal Tournament 3 by their names, such as frag_limit
//
//	Spectators  the number of players whose mesh_ is Spectator, or whose team_ is 255, which
//	            is none, while others have a team
//
// Roster may have more players than Players, since not every server counts bots and
// spectators, and plugins of Minecraft change the count. Players with ping 0 are bots if
// numbots is their number.
//
// Blanks around texts are cut off: Battlefield 2 sends one before names without a clan tag,
// and Crysis Wars one for an unknown value. A zero byte in a text, see [Minecraft], becomes
// U+FFFD. Host does not contain the address that Minecraft reports, because it is the
// configured one, often 0.0.0.0. Roster and Teams are nil if the response has no columns
// for them, and Roster also if it has no rows although numplayers is not 0.
func (m Response) View() lobbywire.View {
	text := func(keys ...string) string {
		for _, key := range keys {
			if value := viewText(m.value(key)); value != "" {
				return value
			}
		}
		return ""
	}
	v := lobbywire.View{
		Name:     text(KeyHostname.String()),
		Game:     text(KeyGameName.String()),
		Map:      text(ut3Map, KeyMapName.String(), "map"),
		Mode:     text(ut3GameType, KeyGameType.String()),
		Version:  text(KeyGameVersion.String(), "version"),
		Players:  viewCount(text(KeyNumPlayers.String())),
		Bots:     viewCount(text(ut3Bots, numBots)),
		Max:      viewCount(text(KeyMaxPlayers.String())),
		Password: wire.Bool(text(KeyPassword.String(), ut3Password)),
		Roster:   m.roster(),
		Teams:    m.teams(),
		Rules:    m.rules(),
	}
	if v.Game == "" {
		v.Game = strings.ToLower(text(minecraftGame))
	}
	if port := viewCount(text(KeyHostPort.String())); port != nil && *port <= math.MaxUint16 {
		v.Port = uint16(*port)
	}
	if v.Players != nil {
		v.Roster = m.listed(v.Roster, *v.Players)
	}
	if m.Players.Column(botColumn) >= 0 && !m.Partial && (v.Players == nil || *v.Players <= len(v.Roster)) {
		v.Bots = cmp.Or(botsOf(v.Roster), v.Bots)
	}
	wire.CountKinds(&v, m.Partial)
	wire.NameTeams(&v, firstTeam(v.Game))
	return v
}

// listed returns the players without false rows, or nil if the server hides the players. A
// row count that is too high turns the bytes after the players into a player without a
// name, in a partial response.
func (m *Response) listed(roster []lobbywire.Player, players int) []lobbywire.Player {
	if len(roster) == 0 && players > 0 {
		return nil
	}
	for m.Partial && len(roster) > players && roster[len(roster)-1].Name == "" {
		roster = roster[:len(roster)-1]
	}
	return roster
}

// firstTeam returns the number of the first team in a game, or -1 if it is unknown.
func firstTeam(game string) int {
	switch strings.ToLower(game) {
	case "battlefield2", "stella", "bfvietnam":
		return 1
	}
	return -1
}

// rules returns Info, with the names of the numbers of Unreal Tournament 3.
func (m *Response) rules() []lobbywire.Rule {
	if len(m.Info) == 0 {
		return nil
	}
	_, isUT3 := m.Lookup(ut3Map)
	list := make([]lobbywire.Rule, len(m.Info))
	for i, kv := range m.Info {
		if isUT3 {
			kv.Key = cmp.Or(ut3Name(kv.Key), kv.Key)
		}
		list[i] = lobbywire.Rule{Key: utf8Text(kv.Key), Value: utf8Text(kv.Value)}
	}
	return list
}

// ut3Name returns the name of a numbered key of Unreal Tournament 3, "" if it is unknown.
func ut3Name(key string) string {
	switch key {
	case ut3Map:
		return "map"
	case ut3GameType:
		return "gametype"
	case "p1073741827":
		return "servername" // the description
	case "p1073741828":
		return "custom_mutators" // separated by 1C
	case ut3Bots:
		return numBots
	case "p268435704":
		return "frag_limit"
	case "p268435705":
		return "time_limit" // minutes
	case "p268435717":
		return "stock_mutators" // a bit each
	case "s0":
		return "bot_skill"
	case "s6":
		return "pure_server"
	case ut3Password:
		return "password"
	case "s8":
		return "vs_bots"
	case "s10":
		return "force_respawn"
	}
	return ""
}

// roster returns the players, nil if there are no columns.
func (m *Response) roster() (list []lobbywire.Player) {
	t := &m.Players
	if len(t.Columns) == 0 {
		return nil
	}
	name, score, ping, team := t.Column(playerColumn), t.Column("score_"), t.Column("ping_"), t.Column("team_")
	bot, kills, deaths := t.Column(botColumn), t.Column("kills_"), t.Column("deaths_")
	if deaths < 0 {
		deaths = t.Column(documentedName("deaths_"))
	}
	var others []int // columns
	for i, column := range t.Columns {
		if !slices.Contains([]int{name, score, ping, team, bot, kills, deaths}, i) && t.Column(column) == i {
			others = append(others, i)
		}
	}
	rules := make([]lobbywire.Rule, 0, len(t.Rows)*len(others))
	list = make([]lobbywire.Player, len(t.Rows))
	for i, row := range t.Rows {
		first := len(rules)
		for _, column := range others {
			if value := viewText(cell(row, column)); value != "" {
				rules = append(rules, lobbywire.Rule{Key: utf8Text(t.Columns[column]), Value: value})
			}
		}
		list[i] = lobbywire.Player{
			Name:   viewText(cell(row, name)),
			Score:  wire.Score(cell(row, score)),
			Ping:   viewCount(cell(row, ping)),
			Team:   viewText(cell(row, team)),
			Bot:    wire.Bool(cell(row, bot)),
			Kills:  wire.Number(cell(row, kills)),
			Deaths: wire.Number(cell(row, deaths)),
		}
		if len(rules) > first {
			list[i].Rules = rules[first:len(rules):len(rules)]
		}
	}
	return list
}

// teams returns the teams, nil if there are no columns.
func (m *Response) teams() (list []lobbywire.Team) {
	t := &m.Teams
	if len(t.Columns) == 0 {
		return nil
	}
	name, score := t.Column("team_t"), t.Column("score_t")
	list = make([]lobbywire.Team, len(t.Rows))
	for i, row := range t.Rows {
		list[i] = lobbywire.Team{Name: viewText(cell(row, name)), Score: wire.Score(cell(row, score))}
	}
	return list
}

// botsOf returns the number of bots, or nil if it is unknown whether a player is a bot.
func botsOf(players []lobbywire.Player) *int {
	n := 0
	for _, p := range players {
		switch {
		case p.Bot == nil:
			return nil
		case *p.Bot:
			n++
		}
	}
	return &n
}

// viewText returns a text without blanks around it.
func viewText(s string) string { return strings.TrimSpace(utf8Text(s)) }

// utf8Text returns a text in UTF-8. A zero byte stands for an unknown character.
func utf8Text(s string) string {
	return strings.ReplaceAll(lobbywire.UTF8(s), "\x00", string(utf8.RuneError))
}

// viewCount returns a number from 0, or nil if s is not one.
func viewCount(s string) *int {
	if n := wire.Number(s); n != nil {
		return wire.Count(int64(*n))
	}
	return nil
}

// View returns the response in the common form, as [Response.View] does.
func (v BF2) View() lobbywire.View { return v.Response([4]byte{}).View() }

// View returns the full stat in the common form, as [Response.View] does.
func (v Minecraft) View() lobbywire.View { return v.Response([4]byte{}).View() }

// View returns the stat in the common form. [Response.View] says why Host is empty.
//
//	Name      MOTD
//	Game      "minecraft"
//	Map       Map
//	Mode      GameType
//	Port      HostPort
//	Players   NumPlayers
//	Max       MaxPlayers
func (m BasicStat) View() lobbywire.View {
	return lobbywire.View{
		Name:    viewText(m.MOTD),
		Game:    strings.ToLower(gameID),
		Map:     viewText(m.Map),
		Mode:    viewText(m.GameType),
		Port:    m.HostPort,
		Players: wire.Count(int64(m.NumPlayers)),
		Max:     wire.Count(int64(m.MaxPlayers)),
	}
}
