package gamespy2

// BF2 is a response of Battlefield 2, or of its mod Project Reality, with typed
// fields. Texts are bytes of Latin-1. Servers answer on UDP port 29900 unless
// configured otherwise.
//
// The tags of the fields up to WithoutVehicles are the 45 keys of Info, in the order of the
// wire. Version 1.0 lacks those after bf2_fps. A number or flag is nil if it is missing,
// empty or invalid.
type BF2 struct {
	HostName    string `key:"hostname"`
	GameName    string `key:"gamename"`    // "battlefield2"; "stella" is Battlefield 2142
	GameVersion string `key:"gamever"`     // such as "1.5.3153-802.0"
	MapName     string `key:"mapname"`     // as displayed: "Strike At Karkand"
	GameType    string `key:"gametype"`    // such as "gpm_cq", "gpm_coop"
	GameVariant string `key:"gamevariant"` // folder of the mod: "bf2", "xpack", "pr"
	NumPlayers  *int   `key:"numplayers"`  // may be more than len(Players)
	MaxPlayers  *int   `key:"maxplayers"`
	GameMode    string `key:"gamemode"` // "openplaying" during a round
	Password    *bool  `key:"password"` // the server requires a password

	TimeLimit *int `key:"timelimit"` // of a round, in seconds; 0 is no limit
	Rounds    *int `key:"roundtime"` // of each map
	HostPort  *int `key:"hostport"`  // of the game, 16567

	Dedicated    *bool  `key:"bf2_dedicated"`
	Ranked       *bool  `key:"bf2_ranked"`
	AntiCheat    *bool  `key:"bf2_anticheat"` // PunkBuster
	OS           string `key:"bf2_os"`        // such as "win32", "linux-64"
	BattleRecord *bool  `key:"bf2_autorec"`
	DemoIndex    string `key:"bf2_d_idx"` // URL of recordings; "http://" is none
	DemoDownload string `key:"bf2_d_dl"`  // URL

	VoIP              *bool    `key:"bf2_voip"`
	AutoBalanced      *bool    `key:"bf2_autobalanced"`
	FriendlyFire      *bool    `key:"bf2_friendlyfire"`
	TKMode            string   `key:"bf2_tkmode"`            // what happens after a team kill: "Punish", "No Punish"
	StartDelay        *int     `key:"bf2_startdelay"`        // seconds
	SpawnTime         *float64 `key:"bf2_spawntime"`         // seconds
	SponsorText       string   `key:"bf2_sponsortext"`       // welcome text; | breaks a line
	SponsorLogo       string   `key:"bf2_sponsorlogo_url"`   // URL
	CommunityLogo     string   `key:"bf2_communitylogo_url"` // URL
	ScoreLimit        *int     `key:"bf2_scorelimit"`        // 0 is no limit
	TicketRatio       *int     `key:"bf2_ticketratio"`       // percent
	TeamRatio         *float64 `key:"bf2_teamratio"`         // percent
	Team1             string   `key:"bf2_team1"`             // army: "MEC", "CH", "US", "EU" ...
	Team2             string   `key:"bf2_team2"`
	Bots              *bool    `key:"bf2_bots"`
	Pure              *bool    `key:"bf2_pure"`    // the server checks the content of clients
	MapSize           *int     `key:"bf2_mapsize"` // layout: 16, 32, 64, 128
	GlobalUnlocks     *bool    `key:"bf2_globalunlocks"`
	FPS               *float64 `key:"bf2_fps"`    // of the server; empty in version 1.0
	Plasma            *bool    `key:"bf2_plasma"` // the publisher hosts the server
	ReservedSlots     *int     `key:"bf2_reservedslots"`
	CoopBotRatio      *int     `key:"bf2_coopbotratio"` // percent; nil if the game is not co-operative, like the next two
	CoopBotCount      *int     `key:"bf2_coopbotcount"`
	CoopBotDifficulty *int     `key:"bf2_coopbotdiff"`
	WithoutVehicles   *bool    `key:"bf2_novehicles"` // infantry only

	Players []BF2Player // at most 64
	Teams   []BF2Team   // the first is team 1
}

// A BF2Player is a row of Players. Its tags are the columns, in the order of the
// wire. Version 1.0 lacks the last one.
type BF2Player struct {
	Name   string `key:"player_"` // clan tag, space, name; the space is sent even without a tag
	Score  *int   `key:"score_"`  // may be negative
	Ping   *int   `key:"ping_"`   // milliseconds
	Team   *int   `key:"team_"`   // 1 or 2
	Deaths *int   `key:"deaths_"`
	PID    *int   `key:"pid_"`   // of the account; 0 for bots and in local networks
	Skill  *int   `key:"skill_"` // kills, by the numbers that servers send
	AIBot  *bool  `key:"AIBot_"`
}

// A BF2Team is a row of Teams.
type BF2Team struct {
	Name  string `key:"team_t"`  // army, as Team1 and Team2 of [BF2]
	Score *int   `key:"score_t"` // always 0
}

// BF2 returns the typed form of a response of Battlefield 2. Unknown keys and columns are
// ignored.
func (m Response) BF2() BF2 {
	var v BF2
	m.readInfo(&v)
	v.Players = rowsOf[BF2Player](&m.Players)
	v.Teams = rowsOf[BF2Team](&m.Teams)
	return v
}

// Response returns the response in split form, as Battlefield 2 sends it. A nil field gets
// an empty value in Info, like bf2_fps in version 1.0. A column that is nil for all players
// is left out; if it is nil for some of them, their value is a blank.
func (v BF2) Response(id [4]byte) Response {
	return Response{
		ID:       id,
		Split:    true,
		Sections: AllSections,
		Info:     infoOf(&v),
		Players:  tableWith(v.Players),
		Teams:    tableWith(v.Teams),
	}
}
