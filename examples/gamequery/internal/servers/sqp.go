package servers

import (
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// NewSQP returns a test server of SQP.
func NewSQP(g Game) (Server, error) {
	s := new(sqpnet.Server)
	players := sqp.Table{
		Columns: []string{"name", "score", "ping"},
		Types:   []sqp.ValueType{sqp.ValueString, sqp.ValueUint32, sqp.ValueUint16},
	}
	for i := range g.Players {
		players.Rows = append(players.Rows, []sqp.Value{
			sqp.String(playerName(i)), sqp.Uint32(uint32(score(i))), sqp.Uint16(uint16(ping(i))),
		})
	}
	err := s.Set(sqpnet.State{
		ServerInfo: sqp.ServerInfo{
			CurrentPlayers: uint16(g.Players),
			MaxPlayers:     uint16(g.MaxPlayers),
			ServerName:     g.Name,
			GameType:       g.GameType,
			BuildID:        g.Version,
			Map:            g.Level,
			Port:           g.At.Port(),
		},
		ServerRules: []sqp.Rule{{Key: "friendlyFire", Value: sqp.Byte(0)}, {Key: "timeLimit", Value: sqp.Uint16(900)}},
		PlayerInfo:  players,
		Metrics:     []float32{60, 0.5},
	})
	return Server{
		serve:    s.Serve,
		shutdown: s.Shutdown,
		Stats:    func() string { return answered(s.Stats()) },
	}, badState(err)
}
