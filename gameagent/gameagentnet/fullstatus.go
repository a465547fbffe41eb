package gameagentnet

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/internal/exchange"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// A FullStatus is the status of a server and its players, from two answers.
type FullStatus struct {
	Status  gameagent.Status
	Players gameagent.Players // the zero value if only the status has arrived
}

// View returns Status in the common form, with the roster of Players.
func (m FullStatus) View() lobbywire.View {
	v := m.Status.View()
	if m.Players.Players != nil {
		players := m.Players.View()
		v.Roster = players.Roster
		if players.Players != nil {
			v.Players = players.Players // which is as old as Roster
		}
	}
	return v
}

func newFullExchange(o gameagent.Options) *exchange.Exchange[FullStatus] {
	e := &exchange.Exchange[FullStatus]{Sends: gameagent.StatusRequest{}}
	players := newPlayersExchange(o)
	e.Hear = func(b []byte) (scan.Verdict, error) {
		if !e.Alive {
			status, err := o.ParseStatus(b)
			if err != nil {
				return scan.Stray, err
			}
			e.Set(FullStatus{status, e.Message.Players}, true)
			e.Sends, e.Alive = gameagent.PlayersRequest{}, true
			return scan.Try, nil
		}
		verdict, wrong := players.Receive(b)
		if verdict == scan.Stray {
			return verdict, wrong
		}
		e.Parts = players.Parts
		e.Set(FullStatus{e.Message.Status, players.Message}, players.Partial)
		e.Short = players.Short
		return verdict, wrong
	}
	return e
}
