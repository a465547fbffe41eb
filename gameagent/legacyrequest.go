package gameagent

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
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
	LegacyQueryRules: {`\rules\`, "1.1", `\activemod\difficulty\friendlyfire\weaponsstay\ammosstay\healthandarmorstays\` +
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

// A LegacyRequest is a query to a server that uses the legacy form, such as \status\ or
// \info\. A master may send its challenge with it, which saves a datagram:
//
//	\status\\secure\ABCDEF
//
//wire:message ToServer
type LegacyRequest struct {
	Query  LegacyQuery
	Secure string // challenge as in LegacySecure; "" if there is none
}

// decode finds the query anywhere in the datagram before the first zero byte, as
// servers do. If there are several, the order of the constants decides. With
// Options.Strict the datagram must consist of the query and a challenge, if there is
// one.
func (m *LegacyRequest) decode(r *wire.Reader, o Options) {
	p := r.Peek()
	text, _, zero := bytes.Cut(p, []byte{0})
	q, at := findLegacyQuery(text)
	switch {
	case o.Strict:
		m.decodeStrict(r, p)
	case at >= 0:
		m.Query = q
		r.Skip(at, "ignored")
		decodeLiteral(r, legacyQueries[q].text, "query")
		if startsWithSecure(r.Peek()) {
			m.Secure = decodeSecure(r, "secure")
		}
		r.Skip(r.Len(), "ignored")
	case zero:
		r.Refuse("query", 0, "is unknown")
	default:
		r.Fail(lobbywire.ErrTruncated, "query", 0)
	}
}

// decodeStrict reads a query that is all of p, or that p is the start of.
func (m *LegacyRequest) decodeStrict(r *wire.Reader, p []byte) {
	q := slices.IndexFunc(legacyQueries[:], func(q legacyQuery) bool { return startsAs(p, q.text) })
	if q < 0 {
		r.Refuse("query", 0, "is unknown")
		return
	}
	m.Query = LegacyQuery(q)
	decodeLiteral(r, legacyQueries[q].text, "query")
	if r.Len() > 0 && startsAs(r.Peek(), secureKey) {
		m.Secure = decodeSecure(r, "secure")
	}
	r.End()
}

// findLegacyQuery returns the query that a server finds in text, and its offset.
// The offset is -1 if there is none.
func findLegacyQuery(text []byte) (LegacyQuery, int) {
	for q, known := range legacyQueries {
		if at := bytes.Index(text, []byte(known.text)); at >= 0 {
			return LegacyQuery(q), at
		}
	}
	return 0, -1
}

// startsWithQuery reports whether b starts with a query.
func startsWithQuery(b []byte) bool {
	return slices.ContainsFunc(legacyQueries[:], func(q legacyQuery) bool { return bytes.HasPrefix(b, []byte(q.text)) })
}

// append fails if Query is unknown, or if there is a challenge and it does not have 6
// to 15 bytes, or contains a backslash or a zero byte.
func (m *LegacyRequest) append(w *wire.Writer) {
	if !m.Query.known() {
		w.Fail(wire.Unsupported("is unknown"), "query")
		return
	}
	w.Text(legacyQueries[m.Query].text)
	if m.Secure != "" {
		appendSecure(w, "secure", m.Secure)
	}
}
