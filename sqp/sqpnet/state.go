package sqpnet

import "github.com/lobbywire/lobbywire/sqp"

// State is the state that a Server reports. An answer has every requested
// chunk, even if it is empty: chunks have no tags, so the client would take the
// next chunk for a missing one. Metrics, the last chunk, are only in answers of version 2, as
// of Unity's Go server.
//
// A proxy that fills a State from an [Answer] loses Extra of the message and of Metrics, which no
// known server sends. Texts must be UTF-8, so the [Client] of a proxy needs Text.
type State struct {
	ServerInfo  sqp.ServerInfo
	ServerRules []sqp.Rule
	PlayerInfo  sqp.Table
	TeamInfo    sqp.Table
	Metrics     []float32 // Unity's client reads 25
}

func (state State) prepare() (*sqp.Prepared, error) {
	p, err := sqp.QueryResponse{
		ServerInfo:  &state.ServerInfo,
		ServerRules: append([]sqp.Rule{}, state.ServerRules...),
		PlayerInfo:  &state.PlayerInfo,
		TeamInfo:    &state.TeamInfo,
		Metrics:     &sqp.Metrics{Values: state.Metrics},
	}.Prepare()
	return &p, err
}
