package gameagent

import (
	"strconv"
	"strings"
)

// A LegacyQuery is the subject of a [LegacyRequest].
type LegacyQuery uint8

// The queries, in the order in which servers search for them. The engine of Serious Sam
// does not answer LegacyQueryRules, which is for Unreal and other games.
const (
	LegacyQueryStatus  LegacyQuery = 0 // all keys, and the players
	LegacyQueryInfo    LegacyQuery = 1 // name, port, map, type, mode and numbers of players
	LegacyQueryBasic   LegacyQuery = 2 // GameName, GameVersion and Location
	LegacyQueryPlayers LegacyQuery = 3 // the players
	LegacyQueryRules   LegacyQuery = 4 // the keys that are neither of info nor of basic
)

// A legacyQuery is a request, and the query ID and the keys of its answer.
type legacyQuery struct{ text, id, keys string }

// legacyQueries are the requests. The answer to the first has all keys.
var legacyQueries = [...]legacyQuery{
	LegacyQueryStatus:  {`\status\`, "333.1", ""},
	LegacyQueryInfo:    {`\info\`, "8.1", `\hostname\hostport\mapname\gametype\numplayers\maxplayers\gamemode\`},
	LegacyQueryBasic:   {`\basic\`, "1.1", `\gamename\gamever\location\`},
	LegacyQueryPlayers: {`\players\`, "6.1", ""},
	LegacyQueryRules: {`\rules\`, "1.1",
		`\activemod\difficulty\friendlyfire\weaponsstay\ammosstay\healthandarmorstays\` +
			`allowhealth\allowarmor\infinitearmor\respawninplace\password\vipplayers\`},
}

// known reports whether q is one of the constants.
func (q LegacyQuery) known() bool { return int(q) < len(legacyQueries) }

// has reports whether the answer to q has a key.
func (q LegacyQuery) has(key string) bool {
	return q == LegacyQueryStatus || q.known() && strings.Contains(legacyQueries[q].keys, `\`+key+`\`)
}

// hasPlayers reports whether the answer to q has players.
func (q LegacyQuery) hasPlayers() bool { return q == LegacyQueryStatus || q == LegacyQueryPlayers }

// String returns "status", "info", "basic", "players", "rules" or, for an unknown query,
// a text such as "query(7)".
func (q LegacyQuery) String() string {
	if q.known() {
		return strings.Trim(legacyQueries[q].text, `\`)
	}
	return "query(" + strconv.Itoa(int(q)) + ")"
}

// ID returns the QueryID of the engine's answer, such as "333.1", or "" for an
// unknown query. For LegacyQueryRules it is "1.1", with which other games begin.
func (q LegacyQuery) ID() string {
	if q.known() {
		return legacyQueries[q].id
	}
	return ""
}
