package gamespy2

import "github.com/lobbywire/lobbywire/internal/wire"

// A KeyID is the number of a key in a request. Each game assigns the ids from 50
// on to keys of its own.
type KeyID uint8

// The registered ids of keys of Info. The ids 21 to 32 belong to columns of players and
// teams, which no known client lists, and to keys that only masters use.
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
)

// keyNames holds the names of the registered ids.
var keyNames = [...]string{
	KeyHostname: "hostname", "gamename", "gamever", "hostport", "mapname", "gametype",
	"gamevariant", "numplayers", "numteams", "maxplayers", "gamemode",
	"teamplay", "fraglimit", "teamfraglimit", "timeelapsed", "timelimit",
	"roundtime", "roundelapsed", "password", "groupid", "player_", "score_",
	"skill_", "ping_", "team_", "deaths_", "pid_", "team_t", "score_t",
	"nn_groupid", "country", "region",
}

// String returns the name of the key on the wire, or a text such as "key(50)" for
// an id that is not registered.
func (k KeyID) String() string { return wire.EnumName(k, "key", keyNames[:]...) }
