package gamespy2

import "strconv"

// A KeyID stands for a key's name in a request. The names of ids from 50 on are
// up to the game.
type KeyID uint8

// The registered ids. Those that end in _ are columns of Players, those in _t
// of Teams. Only master servers answer country and region.
const (
	KeyHostname KeyID = iota + 1
	KeyGameName
	KeyGameVersion
	KeyHostPort
	KeyMapName
	KeyGameType
	KeyGameVariant
	KeyNumPlayers
	KeyNumTeams
	KeyMaxPlayers
	KeyGameMode
	KeyTeamplay
	KeyFragLimit
	KeyTeamFragLimit
	KeyTimeElapsed
	KeyTimeLimit
	KeyRoundTime
	KeyRoundElapsed
	KeyPassword
	KeyGroupID
	KeyPlayer
	KeyScore
	KeySkill
	KeyPing
	KeyTeam
	KeyDeaths
	KeyPID
	KeyTeamName
	KeyTeamScore
	KeyNNGroupID
	KeyCountry
	KeyRegion
)

// keyNames are in the order of the ids, from 1.
var keyNames = [...]string{
	"hostname", "gamename", "gamever", "hostport", "mapname", "gametype",
	"gamevariant", "numplayers", "numteams", "maxplayers", "gamemode",
	"teamplay", "fraglimit", "teamfraglimit", "timeelapsed", "timelimit",
	"roundtime", "roundelapsed", "password", "groupid", "player_", "score_",
	"skill_", "ping_", "team_", "deaths_", "pid_", "team_t", "score_t",
	"nn_groupid", "country", "region",
}

// String returns the key's name on the wire or, as an example, "key(50)".
func (k KeyID) String() string {
	if k >= 1 && int(k) <= len(keyNames) {
		return keyNames[k-1]
	}
	return "key(" + strconv.Itoa(int(k)) + ")"
}
