package gamespy2

import (
	"strings"

	"github.com/lobbywire/lobbywire"
)

// Keys of Unreal Tournament 3, which numbers its properties.
const (
	ut3Bots     = "p268435703"
	ut3Map      = "p1073741825"
	ut3GameType = "p1073741826"
	ut3Password = "s7"
)

// Keys of Minecraft, where it has others than the rest.
const (
	minecraftGame    = "game_id"
	minecraftMap     = "map"
	minecraftVersion = "version"
)

// Columns that a View has.
const (
	scoreColumn     = "score_"
	pingColumn      = "ping_"
	teamColumn      = "team_"
	botColumn       = "AIBot_"
	teamNameColumn  = "team_t"
	teamScoreColumn = "score_t"
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
//	Bots      p268435703 of Unreal Tournament 3; the number of players with AIBot_ in
//	          a response with all players
//	Max       maxplayers
//	Password  password; s7 of Unreal Tournament 3
//	Roster    Players: player_, score_, ping_, team_ and AIBot_
//	Teams     Teams: team_t and score_t
//	Rules     Info
//
// Blanks around texts are cut off: Battlefield 2 has one before names without a clan
// tag, and Crysis Wars sends one for an unknown value. What Minecraft says of its
// address is not in Host, because it is how the server was configured, often 0.0.0.0.
// Roster and Teams are nil if the response has no columns for them.
func (m Response) View() lobbywire.View {
	text := func(keys ...string) string {
		for _, key := range keys {
			if value, _ := m.Lookup(key); strings.TrimSpace(value) != "" {
				return viewText(value)
			}
		}
		return ""
	}
	v := lobbywire.View{
		Name:     text(KeyHostname.String()),
		Game:     text(KeyGameName.String()),
		Map:      text(ut3Map, KeyMapName.String(), minecraftMap),
		Mode:     text(ut3GameType, KeyGameType.String()),
		Version:  text(KeyGameVersion.String(), minecraftVersion),
		Players:  viewCount(text(KeyNumPlayers.String())),
		Bots:     viewCount(text(ut3Bots)),
		Max:      viewCount(text(KeyMaxPlayers.String())),
		Password: viewBool(text(KeyPassword.String(), ut3Password)),
		Roster:   m.roster(),
		Teams:    m.teams(),
	}
	if v.Game == "" {
		v.Game = strings.ToLower(text(minecraftGame))
	}
	if port := viewCount(text(KeyHostPort.String())); port != nil && *port <= maxPort {
		v.Port = uint16(*port)
	}
	if whole := !m.Partial && v.Players != nil && *v.Players == len(v.Roster); whole && m.Players.Column(botColumn) >= 0 {
		v.Bots = botsOf(v.Roster)
	}
	for _, kv := range m.Info {
		v.Rules = append(v.Rules, lobbywire.Rule{Key: lobbywire.UTF8(kv.Key), Value: lobbywire.UTF8(kv.Value)})
	}
	return v
}

// maxPort is the highest port.
const maxPort = 1<<16 - 1

// roster returns the players, nil if there are no columns.
func (m *Response) roster() []lobbywire.Player {
	t := &m.Players
	if len(t.Columns) == 0 {
		return nil
	}
	name, score, ping, team, bot := t.Column(playerColumn), t.Column(scoreColumn), t.Column(pingColumn), t.Column(teamColumn), t.Column(botColumn)
	players := make([]lobbywire.Player, len(t.Rows))
	for i, row := range t.Rows {
		players[i] = lobbywire.Player{
			Name:  viewText(cell(row, name)),
			Score: lobbywire.Number(cell(row, score)),
			Ping:  viewCount(cell(row, ping)),
			Team:  viewText(cell(row, team)),
			Bot:   viewBool(cell(row, bot)),
		}
	}
	return players
}

// teams returns the teams, nil if there are no columns.
func (m *Response) teams() []lobbywire.Team {
	t := &m.Teams
	if len(t.Columns) == 0 {
		return nil
	}
	name, score := t.Column(teamNameColumn), t.Column(teamScoreColumn)
	teams := make([]lobbywire.Team, len(t.Rows))
	for i, row := range t.Rows {
		teams[i] = lobbywire.Team{Name: viewText(cell(row, name)), Score: lobbywire.Number(cell(row, score))}
	}
	return teams
}

// botsOf returns the number of bots, nil if it is unknown of a player.
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

// cell returns a value of a row, "" if there is no such column.
func cell(row []string, column int) string {
	if column < 0 || column >= len(row) {
		return ""
	}
	return row[column]
}

// viewText returns a text without blanks around it.
func viewText(s string) string { return strings.TrimSpace(lobbywire.UTF8(s)) }

// viewCount returns a number from 0, nil if s is none.
func viewCount(s string) *int {
	if n := lobbywire.Number(s); n != nil {
		return lobbywire.Count(int64(*n))
	}
	return nil
}

// viewBool returns a flag, nil if s is blank.
func viewBool(s string) *bool {
	if s = strings.TrimSpace(s); s == "" {
		return nil
	}
	return new(isTrue(s))
}

// View returns what [Response.View] returns of the response.
func (v BF2) View() lobbywire.View { return v.Response([4]byte{}).View() }

// View returns what [Response.View] returns of the full stat.
func (v Minecraft) View() lobbywire.View { return v.Response([4]byte{}).View() }

// View returns the stat in the common form. The comment of [Response.View] says why
// it has no Host.
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
		Players: lobbywire.Count(int64(m.NumPlayers)),
		Max:     lobbywire.Count(int64(m.MaxPlayers)),
	}
}
