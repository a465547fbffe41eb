package gameagentnet

import (
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/internal/exchange"
)

func newStatusExchange(o gameagent.Options) *exchange.Exchange[gameagent.Status] {
	return exchange.Single(gameagent.StatusRequest{}, o.ParseStatus)
}

func newPingExchange(gameagent.Options) *exchange.Exchange[gameagent.Ping] {
	return exchange.Single(gameagent.PingRequest{}, gameagent.ParsePing)
}

func newPlayersExchange(o gameagent.Options) *exchange.Exchange[gameagent.Players] {
	a := &gameagent.Assembler{Options: o}
	return exchange.Joined(gameagent.PlayersRequest{}, a.Add, a.Players, rosterOf)
}

func rosterOf(m gameagent.Players) exchange.Roster {
	return exchange.Roster{Listed: len(m.Players), Counted: m.Count}
}
