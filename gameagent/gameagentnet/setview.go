package gameagentnet

import (
	"math"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// SetView calls [Server.Set] with the State for v; [gameagent.LegacyStatus.View]
// lists the corresponding fields. It is for games that answer in several
// protocols. Unknown numbers become 0. Rules and teams are not sent. Players is
// ignored: the number of players in GameAgent is the length of Roster.
func (s *Server) SetView(v lobbywire.View) error {
	_, places := v.Counts()
	state := State{
		SessionName: v.Name,
		GameName:    v.Game,
		Version:     v.Version,
		Level:       v.Map,
		GameType:    v.Mode,
		MaxPlayers:  places,
		GamePort:    v.Port,
	}
	state.Legacy.Password = v.Password != nil && *v.Password
	for i, p := range v.Roster {
		score, ping := viewNumber(p.Score), viewNumber(p.Ping)
		if score < math.MinInt32 || score > math.MaxInt32 {
			return refuse("players["+strconv.Itoa(i)+"].frags", wire.Exceeded(score, math.MaxInt32))
		}
		state.Players = append(state.Players, gameagent.Player{Index: i, Name: p.Name, Frags: int32(score), Ping: ping})
	}
	return s.Set(state)
}

func viewNumber(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}
