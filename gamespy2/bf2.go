package gamespy2

import (
	"cmp"
	"strconv"
	"strings"
)

// BF2 is a response of Battlefield 2, or of its mod Project Reality, with typed
// fields. Texts are bytes of Latin-1. Servers answer on UDP port 29900 unless
// configured otherwise.
//
// The fields up to WithoutVehicles are the 45 keys of Info, in the order of the
// wire. Version 1.0 lacks those after bf2_fps.
//
//	hostname gamename gamever mapname gametype gamevariant numplayers maxplayers
//	gamemode password timelimit roundtime hostport bf2_dedicated bf2_ranked
//	bf2_anticheat bf2_os bf2_autorec bf2_d_idx bf2_d_dl bf2_voip bf2_autobalanced
//	bf2_friendlyfire bf2_tkmode bf2_startdelay bf2_spawntime bf2_sponsortext
//	bf2_sponsorlogo_url bf2_communitylogo_url bf2_scorelimit bf2_ticketratio
//	bf2_teamratio bf2_team1 bf2_team2 bf2_bots bf2_pure bf2_mapsize
//	bf2_globalunlocks bf2_fps bf2_plasma bf2_reservedslots bf2_coopbotratio
//	bf2_coopbotcount bf2_coopbotdiff bf2_novehicles
type BF2 struct {
	HostName    string
	GameName    string // "battlefield2"; "stella" is Battlefield 2142
	GameVersion string // such as "1.5.3153-802.0"
	MapName     string // as displayed: "Strike At Karkand"
	GameType    string // such as "gpm_cq", "gpm_coop"
	GameVariant string // folder of the mod: "bf2", "xpack", "pr"
	NumPlayers  int    // may be more than len(Players)
	MaxPlayers  int
	GameMode    string // "openplaying" during a round
	Password    bool   // the server requires a password

	TimeLimit int // of a round, in seconds; 0 is no limit
	Rounds    int // of each map, key roundtime
	HostPort  int // of the game, 16567

	Dedicated    bool
	Ranked       bool
	AntiCheat    bool   // PunkBuster
	OS           string // such as "win32", "linux-64"
	BattleRecord bool   // key bf2_autorec
	DemoIndex    string // URL of recordings; "http://" is none
	DemoDownload string // URL

	VoIP            bool
	AutoBalanced    bool
	FriendlyFire    bool
	TKMode          string  // what happens after a team kill: "Punish", "No Punish"
	StartDelay      int     // seconds
	SpawnTime       float64 // seconds
	SponsorText     string  // welcome text; | breaks a line
	SponsorLogo     string  // URL
	CommunityLogo   string  // URL
	ScoreLimit      int     // 0 is no limit
	TicketRatio     int     // percent
	TeamRatio       float64 // percent
	Team1           string  // army: "MEC", "CH", "US", "EU" ...
	Team2           string
	Bots            bool
	Pure            bool // the server checks the content of clients
	MapSize         int  // layout: 16, 32, 64, 128
	GlobalUnlocks   bool
	FPS             float64 // of the server; 0 in version 1.0, which leaves it empty
	Plasma          bool    // the publisher hosts the server
	ReservedSlots   int
	CoopBots        *BF2CoopBots // nil if the game is not co-operative
	WithoutVehicles bool         // infantry only

	Players []BF2Player // at most 64
	Teams   []BF2Team   // the first is team 1
}

// BF2CoopBots are the settings of a co-operative game.
type BF2CoopBots struct {
	Ratio      int // percent
	Count      int
	Difficulty int
}

// A BF2Player is a row of Players. Its fields are the columns player_, score_,
// ping_, team_, deaths_, pid_, skill_ and AIBot_, in the order of the wire. Version
// 1.0 lacks the last one.
type BF2Player struct {
	Name   string // clan tag, space, name; the space is there even without a tag
	Score  int    // may be negative
	Ping   int    // milliseconds
	Team   int    // 1 or 2
	Deaths int
	PID    int // of the account; 0 for bots and in local networks
	Skill  int // kills, by the numbers that servers send
	AIBot  bool
}

// A BF2Team is a row of Teams.
type BF2Team struct {
	Name  string // army, as Team1 and Team2 of [BF2]
	Score int    // always 0
}

// coopPrefix starts the keys of BF2CoopBots.
const coopPrefix = "bf2_coopbot"

// fields returns the fields of Info, those of CoopBots in coop.
func (v *BF2) fields(coop *BF2CoopBots) []typedField {
	return []typedField{
		{"hostname", &v.HostName},
		{"gamename", &v.GameName},
		{"gamever", &v.GameVersion},
		{"mapname", &v.MapName},
		{"gametype", &v.GameType},
		{"gamevariant", &v.GameVariant},
		{"numplayers", &v.NumPlayers},
		{"maxplayers", &v.MaxPlayers},
		{"gamemode", &v.GameMode},
		{"password", &v.Password},
		{"timelimit", &v.TimeLimit},
		{"roundtime", &v.Rounds},
		{"hostport", &v.HostPort},
		{"bf2_dedicated", &v.Dedicated},
		{"bf2_ranked", &v.Ranked},
		{"bf2_anticheat", &v.AntiCheat},
		{"bf2_os", &v.OS},
		{"bf2_autorec", &v.BattleRecord},
		{"bf2_d_idx", &v.DemoIndex},
		{"bf2_d_dl", &v.DemoDownload},
		{"bf2_voip", &v.VoIP},
		{"bf2_autobalanced", &v.AutoBalanced},
		{"bf2_friendlyfire", &v.FriendlyFire},
		{"bf2_tkmode", &v.TKMode},
		{"bf2_startdelay", &v.StartDelay},
		{"bf2_spawntime", &v.SpawnTime},
		{"bf2_sponsortext", &v.SponsorText},
		{"bf2_sponsorlogo_url", &v.SponsorLogo},
		{"bf2_communitylogo_url", &v.CommunityLogo},
		{"bf2_scorelimit", &v.ScoreLimit},
		{"bf2_ticketratio", &v.TicketRatio},
		{"bf2_teamratio", &v.TeamRatio},
		{"bf2_team1", &v.Team1},
		{"bf2_team2", &v.Team2},
		{"bf2_bots", &v.Bots},
		{"bf2_pure", &v.Pure},
		{"bf2_mapsize", &v.MapSize},
		{"bf2_globalunlocks", &v.GlobalUnlocks},
		{"bf2_fps", &v.FPS},
		{"bf2_plasma", &v.Plasma},
		{"bf2_reservedslots", &v.ReservedSlots},
		{"bf2_coopbotratio", &coop.Ratio},
		{"bf2_coopbotcount", &coop.Count},
		{"bf2_coopbotdiff", &coop.Difficulty},
		{"bf2_novehicles", &v.WithoutVehicles},
	}
}

func (p *BF2Player) fields() []typedField {
	return []typedField{
		{"player_", &p.Name},
		{"score_", &p.Score},
		{"ping_", &p.Ping},
		{"team_", &p.Team},
		{"deaths_", &p.Deaths},
		{"pid_", &p.PID},
		{"skill_", &p.Skill},
		{"AIBot_", &p.AIBot},
	}
}

func (t *BF2Team) fields() []typedField {
	return []typedField{
		{"team_t", &t.Name},
		{"score_t", &t.Score},
	}
}

// BF2 returns the typed form of a response of Battlefield 2. Missing keys and
// columns and empty numbers give zero values. Unknown keys and columns are
// ignored. A value that is not a number is [lobbywire.ErrInvalid]; the Field of
// the error names the key, or the row and column.
func (m Response) BF2() (BF2, error) {
	var v BF2
	var coop BF2CoopBots
	for _, f := range v.fields(&coop) {
		s, _ := m.Lookup(f.key)
		if !f.parse(s) {
			return BF2{}, invalid("info." + f.key)
		}
		if s != "" && strings.HasPrefix(f.key, coopPrefix) {
			v.CoopBots = &coop
		}
	}
	v.Players = make([]BF2Player, len(m.Players.Rows))
	for i := range v.Players {
		if column := m.Players.parseRow(i, v.Players[i].fields()); column != "" {
			return BF2{}, invalid("players.rows[" + strconv.Itoa(i) + "]." + column)
		}
	}
	v.Teams = make([]BF2Team, len(m.Teams.Rows))
	for i := range v.Teams {
		if column := m.Teams.parseRow(i, v.Teams[i].fields()); column != "" {
			return BF2{}, invalid("teams.rows[" + strconv.Itoa(i) + "]." + column)
		}
	}
	return v, nil
}

// parseRow sets fields from a row. It returns the column whose value is not a
// number, or "".
func (t *Table) parseRow(row int, fields []typedField) (wrong string) {
	for _, f := range fields {
		column := t.Column(f.key)
		if column < 0 {
			column = t.Column(documentedName(f.key))
		}
		if column >= 0 && !f.parse(t.Rows[row][column]) {
			return f.key
		}
	}
	return ""
}

// documentedName returns another name of a column, which the document that the
// package documentation names has, or "".
func documentedName(column string) string {
	switch column {
	case "deaths_":
		return "death_"
	case "skill_":
		return "kill_"
	}
	return ""
}

// Response returns the response in split form, as Battlefield 2 sends it.
func (v BF2) Response(id [4]byte) Response {
	m := Response{ID: id, Split: true, Sections: AllSections}
	for _, f := range v.fields(cmp.Or(v.CoopBots, new(BF2CoopBots))) {
		s := f.format()
		if v.CoopBots == nil && strings.HasPrefix(f.key, coopPrefix) {
			s = ""
		}
		m.Info = append(m.Info, KeyValue{f.key, s})
	}
	m.Players.Columns = keysOf(new(BF2Player).fields())
	m.Players.Rows = make([][]string, len(v.Players))
	for i := range v.Players {
		m.Players.Rows[i] = formatAll(v.Players[i].fields())
	}
	m.Teams.Columns = keysOf(new(BF2Team).fields())
	m.Teams.Rows = make([][]string, len(v.Teams))
	for i := range v.Teams {
		m.Teams.Rows[i] = formatAll(v.Teams[i].fields())
	}
	return m
}

func keysOf(fields []typedField) []string {
	keys := make([]string, len(fields))
	for i, f := range fields {
		keys[i] = f.key
	}
	return keys
}

func formatAll(fields []typedField) []string {
	texts := make([]string, len(fields))
	for i, f := range fields {
		texts[i] = f.format()
	}
	return texts
}
