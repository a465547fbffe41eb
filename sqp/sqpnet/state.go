package sqpnet

import "github.com/lobbywire/lobbywire/sqp"

// State is the state that a Server reports. An answer contains every requested chunk, even
// if it is empty: chunks have no tags, so the client would read the next chunk in place of
// a missing one. Like Unity's Go server, it sends Metrics, the last chunk, only in answers
// of version 2.
//
// A proxy that fills a State from an [Answer] loses Extra of the message and of Metrics,
// which no known server sends. Texts must be UTF-8, so the [Client] of a proxy must set
// Options.Text.
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
