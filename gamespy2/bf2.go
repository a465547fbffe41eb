package gamespy2

import (
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
)

// BF2 is an answer of Battlefield 2, or of its mod Project Reality, with typed
// fields. Text is as on the wire, Latin-1.
type BF2 struct {
	Info    BF2Info
	Players []BF2Player // 64 at most; Info.NumPlayers may be more
	Teams   []BF2Team   // the first is team 1
}

// BF2Info is what Battlefield 2 says about a server: 45 keys, in this order.
// Version 1.0 lacks those after FPS.
type BF2Info struct {
	HostName    string
	GameName    string // "battlefield2"; "stella" is Battlefield 2142
	GameVersion string // as "1.5.3153-802.0"
	MapName     string // as shown, "Strike At Karkand"
	GameType    string // as "gpm_cq", "gpm_coop"
	GameVariant string // folder of the mod: "bf2", "xpack", "pr"
	NumPlayers  int
	MaxPlayers  int
	GameMode    string // "openplaying" during a round
	Password    bool   // is needed

	TimeLimit int // of a round, in seconds; 0 is none
	Rounds    int // of each map, key roundtime
	HostPort  int // to play on, 16567

	Dedicated    bool
	Ranked       bool
	AntiCheat    bool   // PunkBuster
	OS           string // as "win32", "linux-64"
	BattleRecord bool   // key bf2_autorec
	DemoIndex    string // URL of recordings; "http://" is none
	DemoDownload string // URL

	VoIP            bool
	AutoBalanced    bool
	FriendlyFire    bool
	TKMode          string  // what follows a team kill: "Punish", "No Punish"
	StartDelay      int     // seconds
	SpawnTime       float64 // seconds
	SponsorText     string  // welcome text; | breaks a line
	SponsorLogo     string  // URL
	CommunityLogo   string  // URL
	ScoreLimit      int     // 0 is none
	TicketRatio     int     // percent
	TeamRatio       float64 // percent
	Team1           string  // army: "MEC", "CH", "US", "EU" ...
	Team2           string
	Bots            bool
	Pure            bool // content is checked
	MapSize         int  // layout: 16, 32, 64, 128
	GlobalUnlocks   bool
	FPS             float64 // of the server; 0 in version 1.0, which leaves it empty
	Plasma          bool    // hosted by the publisher
	ReservedSlots   int
	CoopBots        *BF2CoopBots // nil if there is no co-operative game
	WithoutVehicles bool         // infantry only
}

// BF2CoopBots are settings of a co-operative game.
type BF2CoopBots struct {
	Ratio      int // percent
	Count      int
	Difficulty int
}

// A BF2Player is a row of Players: 8 columns, in this order. Version 1.0 lacks
// the last one.
type BF2Player struct {
	Name   string // clan tag, a blank, name; the blank is there without a tag too
	Score  int    // may be negative
	Ping   int    // milliseconds
	Team   int    // 1 or 2
	Deaths int
	PID    int // of the account; 0 for bots and in local networks
	Skill  int // kills, by the looks of it
	AIBot  bool
}

// A BF2Team is a row of Teams.
type BF2Team struct {
	Name  string // army, as BF2Info.Team1
	Score int    // always 0
}

// bf2Field is a field of a struct of this file: exactly one of the pointers is set.
type bf2Field struct {
	key    string
	text   *string
	number *int
	flag   *bool
	real   *float64
	coop   bool // is of BF2CoopBots
}

// fields returns the fields in the order of the wire, those of CoopBots in coop.
func (i *BF2Info) fields(coop *BF2CoopBots) []bf2Field {
	return []bf2Field{
		{key: "hostname", text: &i.HostName},
		{key: "gamename", text: &i.GameName},
		{key: "gamever", text: &i.GameVersion},
		{key: "mapname", text: &i.MapName},
		{key: "gametype", text: &i.GameType},
		{key: "gamevariant", text: &i.GameVariant},
		{key: "numplayers", number: &i.NumPlayers},
		{key: "maxplayers", number: &i.MaxPlayers},
		{key: "gamemode", text: &i.GameMode},
		{key: "password", flag: &i.Password},
		{key: "timelimit", number: &i.TimeLimit},
		{key: "roundtime", number: &i.Rounds},
		{key: "hostport", number: &i.HostPort},
		{key: "bf2_dedicated", flag: &i.Dedicated},
		{key: "bf2_ranked", flag: &i.Ranked},
		{key: "bf2_anticheat", flag: &i.AntiCheat},
		{key: "bf2_os", text: &i.OS},
		{key: "bf2_autorec", flag: &i.BattleRecord},
		{key: "bf2_d_idx", text: &i.DemoIndex},
		{key: "bf2_d_dl", text: &i.DemoDownload},
		{key: "bf2_voip", flag: &i.VoIP},
		{key: "bf2_autobalanced", flag: &i.AutoBalanced},
		{key: "bf2_friendlyfire", flag: &i.FriendlyFire},
		{key: "bf2_tkmode", text: &i.TKMode},
		{key: "bf2_startdelay", number: &i.StartDelay},
		{key: "bf2_spawntime", real: &i.SpawnTime},
		{key: "bf2_sponsortext", text: &i.SponsorText},
		{key: "bf2_sponsorlogo_url", text: &i.SponsorLogo},
		{key: "bf2_communitylogo_url", text: &i.CommunityLogo},
		{key: "bf2_scorelimit", number: &i.ScoreLimit},
		{key: "bf2_ticketratio", number: &i.TicketRatio},
		{key: "bf2_teamratio", real: &i.TeamRatio},
		{key: "bf2_team1", text: &i.Team1},
		{key: "bf2_team2", text: &i.Team2},
		{key: "bf2_bots", flag: &i.Bots},
		{key: "bf2_pure", flag: &i.Pure},
		{key: "bf2_mapsize", number: &i.MapSize},
		{key: "bf2_globalunlocks", flag: &i.GlobalUnlocks},
		{key: "bf2_fps", real: &i.FPS},
		{key: "bf2_plasma", flag: &i.Plasma},
		{key: "bf2_reservedslots", number: &i.ReservedSlots},
		{key: "bf2_coopbotratio", number: &coop.Ratio, coop: true},
		{key: "bf2_coopbotcount", number: &coop.Count, coop: true},
		{key: "bf2_coopbotdiff", number: &coop.Difficulty, coop: true},
		{key: "bf2_novehicles", flag: &i.WithoutVehicles},
	}
}

func (p *BF2Player) fields() []bf2Field {
	return []bf2Field{
		{key: "player_", text: &p.Name},
		{key: "score_", number: &p.Score},
		{key: "ping_", number: &p.Ping},
		{key: "team_", number: &p.Team},
		{key: "deaths_", number: &p.Deaths},
		{key: "pid_", number: &p.PID},
		{key: "skill_", number: &p.Skill},
		{key: "AIBot_", flag: &p.AIBot},
	}
}

func (t *BF2Team) fields() []bf2Field {
	return []bf2Field{
		{key: "team_t", text: &t.Name},
		{key: "score_t", number: &t.Score},
	}
}

// parse sets the field from its text. A number that is empty or blank is 0.
func (f *bf2Field) parse(s string) bool {
	number := strings.TrimSpace(s)
	var err error
	switch {
	case f.text != nil:
		*f.text = s
	case f.flag != nil:
		*f.flag = isTrue(s)
	case number == "":
	case f.number != nil:
		*f.number, err = strconv.Atoi(number)
	default:
		*f.real, err = strconv.ParseFloat(number, 64)
	}
	return err == nil
}

// isTrue reads a flag as GameSpy's code does, by its first letter.
func isTrue(s string) bool {
	if s == "" {
		return false
	}
	switch s[0] {
	case '0', 'F', 'f', 'N', 'n':
		return false
	}
	return true
}

// format returns the text of the field.
func (f *bf2Field) format() string {
	switch {
	case f.text != nil:
		return *f.text
	case f.flag != nil && *f.flag:
		return "1"
	case f.flag != nil:
		return "0"
	case f.number != nil:
		return strconv.Itoa(*f.number)
	}
	return strconv.FormatFloat(*f.real, 'f', 6, 64)
}

// BF2 returns the typed form of an answer of Battlefield 2. What is missing is
// the zero value, and so is an empty number. A number that is none is
// [lobbywire.ErrInvalid] with the key, or row and column, in Field. Unknown keys
// and columns are left out.
func (m Response) BF2() (BF2, error) {
	var v BF2
	var coop BF2CoopBots
	for _, f := range v.Info.fields(&coop) {
		s, _ := m.Lookup(f.key)
		if !f.parse(s) {
			return BF2{}, invalid("info." + f.key)
		}
		if f.coop && s != "" {
			v.Info.CoopBots = &coop
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

// parseRow sets fields from a row. It returns the column that has no number.
func (t *Table) parseRow(row int, fields []bf2Field) (wrong string) {
	for _, f := range fields {
		column := t.Column(f.key)
		if column >= 0 && !f.parse(t.Rows[row][column]) {
			return f.key
		}
	}
	return ""
}

// invalid returns an error about a field of a response that is parsed already.
func invalid(field string) error {
	return &lobbywire.Error{Proto: proto, Field: field, Offset: -1, Err: lobbywire.ErrInvalid}
}

// Response returns the answer in split form, as Battlefield 2 gives it.
func (v BF2) Response(id [4]byte) Response {
	m := Response{ID: id, Split: true, Sections: AllSections}
	coop := v.Info.CoopBots
	if coop == nil {
		coop = new(BF2CoopBots)
	}
	for _, f := range v.Info.fields(coop) {
		s := ""
		if !f.coop || v.Info.CoopBots != nil {
			s = f.format()
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

func keysOf(fields []bf2Field) []string {
	keys := make([]string, len(fields))
	for i, f := range fields {
		keys[i] = f.key
	}
	return keys
}

func formatAll(fields []bf2Field) []string {
	texts := make([]string, len(fields))
	for i, f := range fields {
		texts[i] = f.format()
	}
	return texts
}
