package gamespy1

import (
	"strconv"
	"strings"
)

// A Query is the subject of a [Request].
type Query uint8

// The queries, in the order that servers search for them. Serious Sam does not answer
// QueryRules, which is for Unreal and other games.
const (
	QueryStatus  Query = 0 // all keys, and the players
	QueryInfo    Query = 1 // name, port, map, type, mode and numbers of players
	QueryBasic   Query = 2 // GameName, GameVersion and Location
	QueryPlayers Query = 3 // the players
	QueryRules   Query = 4 // the keys that are in neither info nor basic
)

// A query is a request, and the query ID and the keys of its answer.
type query struct{ text, id, keys string }

// queries are the requests. The answer to the first contains all keys.
var queries = [...]query{
	QueryStatus:  {`\status\`, "333.1", ""},
	QueryInfo:    {`\info\`, "8.1", `\hostname\hostport\mapname\gametype\numplayers\maxplayers\gamemode\`},
	QueryBasic:   {`\basic\`, "1.1", `\gamename\gamever\location\`},
	QueryPlayers: {`\players\`, "6.1", ""},
	QueryRules: {`\rules\`, "1.1",
		`\activemod\difficulty\friendlyfire\weaponsstay\ammosstay\healthandarmorstays\` +
			`allowhealth\allowarmor\infinitearmor\respawninplace\password\vipplayers\`},
}

// known reports whether q is one of the constants.
func (q Query) known() bool { return int(q) < len(queries) }

// has reports whether the answer to q contains a key.
func (q Query) has(key string) bool {
	return q == QueryStatus || q.known() && strings.Contains(queries[q].keys, `\`+key+`\`)
}

// hasPlayers reports whether the answer to q contains players.
func (q Query) hasPlayers() bool { return q == QueryStatus || q == QueryPlayers }

// String returns "status", "info", "basic", "players", "rules" or, for an unknown query,
// a text such as "query(7)".
func (q Query) String() string {
	if q.known() {
		return strings.Trim(queries[q].text, `\`)
	}
	return "query(" + strconv.Itoa(int(q)) + ")"
}

// ID returns the QueryID of the answer of Serious Sam, such as "333.1", or "" for an
// unknown query. For QueryRules it is "1.1", the first ID of other games.
func (q Query) ID() string {
	if q.known() {
		return queries[q].id
	}
	return ""
}
