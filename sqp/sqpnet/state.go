package sqpnet

import "github.com/lobbywire/lobbywire/sqp"

// State is what a Server answers with. An answer has every chunk that the query
// asks for, empty if need be: chunks have no tags, so the client would take the
// next chunk for a missing one.
type State struct {
	ServerInfo  sqp.ServerInfo
	ServerRules []sqp.Rule
	PlayerInfo  sqp.Table
	TeamInfo    sqp.Table
	Metrics     []float32 // Unity's client reads 25
}

// Set replaces what the server answers with. It may be called at any time. It
// fails if state cannot be encoded, or all chunks have more than 65535 bytes
// together; the server then keeps its state. An answer of more than
// [sqp.MaxDatagram] bytes is split, see the package documentation.
func (s *Server) Set(state State) error {
	p, err := sqp.QueryResponse{
		ServerInfo:  &state.ServerInfo,
		ServerRules: append([]sqp.Rule{}, state.ServerRules...),
		PlayerInfo:  &state.PlayerInfo,
		TeamInfo:    &state.TeamInfo,
		Metrics:     &sqp.Metrics{Values: state.Metrics},
	}.Prepare()
	if err != nil {
		return err
	}
	s.state.Store(&p)
	return nil
}
