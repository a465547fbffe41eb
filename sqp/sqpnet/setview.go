package sqpnet

import (
	"math"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/sqp"
)

// SetView calls [Server.Set] with the State for v; [sqp.QueryResponse.View] lists
// the corresponding fields. It is for games that answer in several protocols.
// Unknown numbers become 0. Values of rules are texts. If a score is negative, all
// scores are texts, because the protocol has no negative numbers.
func (s *Server) SetView(v lobbywire.View) error {
	players, places := v.Counts()
	for _, n := range []int{players, places} {
		if n < 0 || n > math.MaxUint16 {
			return &lobbywire.Error{Proto: "sqp", Field: "serverInfo.players", Offset: -1, Err: wire.Exceeded(n, math.MaxUint16)}
		}
	}
	state := State{
		ServerInfo: sqp.ServerInfo{
			CurrentPlayers: uint16(players),
			MaxPlayers:     uint16(places),
			ServerName:     v.Name,
			GameType:       v.Mode,
			BuildID:        v.Version,
			Map:            v.Map,
			Port:           v.Port,
		},
	}
	for _, rule := range v.Rules {
		state.ServerRules = append(state.ServerRules, sqp.Rule{Key: rule.Key, Value: sqp.String(rule.Value)})
	}
	var scores, pings []*int
	for _, p := range v.Roster {
		scores, pings = append(scores, p.Score), append(pings, p.Ping)
	}
	for _, t := range v.Teams {
		scores = append(scores, t.Score)
	}
	score, ping := viewType(scores), viewType(pings)
	state.PlayerInfo = sqp.Table{
		Columns: []string{"name", "score", "ping", "team"},
		Types:   []sqp.ValueType{sqp.ValueString, score, ping, sqp.ValueString},
	}
	for _, p := range v.Roster {
		state.PlayerInfo.Rows = append(state.PlayerInfo.Rows,
			[]sqp.Value{sqp.String(p.Name), viewNumber(p.Score, score), viewNumber(p.Ping, ping), sqp.String(p.Team)})
	}
	state.TeamInfo = sqp.Table{Columns: []string{"name", "score"}, Types: []sqp.ValueType{sqp.ValueString, score}}
	for _, t := range v.Teams {
		state.TeamInfo.Rows = append(state.TeamInfo.Rows, []sqp.Value{sqp.String(t.Name), viewNumber(t.Score, score)})
	}
	return s.Set(state)
}

// viewType returns the type of a column of numbers: texts if one is negative.
func viewType(numbers []*int) sqp.ValueType {
	if slices.ContainsFunc(numbers, func(n *int) bool { return n != nil && (*n < 0 || *n > math.MaxInt32) }) {
		return sqp.ValueString
	}
	return sqp.ValueUint32
}

// viewNumber returns a value of a type, 0 for an unknown number.
func viewNumber(n *int, t sqp.ValueType) sqp.Value {
	if n == nil {
		n = new(0)
	}
	if t == sqp.ValueString {
		return sqp.String(strconv.Itoa(*n))
	}
	return sqp.Uint32(uint32(*n))
}
