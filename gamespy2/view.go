package gamespy2

import (
	"math"
	"strings"

	"github.com/lobbywire/lobbywire"
)

// Keys and columns of some games only.
const (
	ut3Bots       = "p268435703" // Unreal Tournament 3 numbers its properties
	ut3Map        = "p1073741825"
	ut3GameType   = "p1073741826"
	ut3Password   = "s7"
	minecraftGame = "game_id"
	botColumn     = "AIBot_"
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
		Bots:     viewCount(text(ut3Bots)),
		Max:      viewCount(text(KeyMaxPlayers.String())),
		Password: viewBool(text(KeyPassword.String(), ut3Password)),
		Roster:   m.roster(),
		Teams:    m.teams(),
	}
	if v.Game == "" {
		v.Game = strings.ToLower(text(minecraftGame))
	}
	if port := viewCount(text(KeyHostPort.String())); port != nil && *port <= math.MaxUint16 {
		v.Port = uint16(*port)
	}
	if whole := !m.Partial && v.Players != nil && *v.Players == len(v.Roster); whole &&
		m.Players.Column(botColumn) >= 0 {
		v.Bots = botsOf(v.Roster)
	}
	for _, kv := range m.Info {
		v.Rules = append(v.Rules, lobbywire.Rule{Key: lobbywire.UTF8(kv.Key), Value: lobbywire.UTF8(kv.Value)})
	}
	return v
}

// roster returns the players, nil if there are no columns.
func (m *Response) roster() (list []lobbywire.Player) {
	t := &m.Players
	if len(t.Columns) == 0 {
		return nil
	}
	list = make([]lobbywire.Player, len(t.Rows))
	for i, row := range t.Rows {
		list[i] = lobbywire.Player{
			Name:  viewText(t.value(row, playerColumn)),
			Score: lobbywire.Number(t.value(row, "score_")),
			Ping:  viewCount(t.value(row, "ping_")),
			Team:  viewText(t.value(row, "team_")),
			Bot:   viewBool(t.value(row, botColumn)),
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
	list = make([]lobbywire.Team, len(t.Rows))
	for i, row := range t.Rows {
		list[i] = lobbywire.Team{Name: viewText(t.value(row, "team_t")),
			Score: lobbywire.Number(t.value(row, "score_t"))}
	}
	return list
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

// value returns the value of a row in a column, "" if there is none.
func (t *Table) value(row []string, column string) string {
	if i := t.Column(column); i >= 0 && i < len(row) {
		return row[i]
	}
	return ""
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
	s = strings.TrimSpace(s)
	if s == "" {
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
