package gameagentnet

import (
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/internal/exchange"
)

// A decodeText decodes texts that are not UTF-8; see [gameagent.Options].
type decodeText = func([]byte) string

func newStatusExchange(text decodeText) *exchange.Exchange[gameagent.Status] {
	return exchange.Single(gameagent.StatusRequest{}, gameagent.Options{Text: text}.ParseStatus)
}

func newPingExchange(decodeText) *exchange.Exchange[gameagent.Ping] {
	return exchange.Single(gameagent.PingRequest{}, gameagent.ParsePing)
}

func newPlayersExchange(text decodeText) *exchange.Exchange[gameagent.Players] {
	a := &gameagent.Assembler{Options: gameagent.Options{Text: text}}
	return exchange.Joined(gameagent.PlayersRequest{}, a.Add, a.Players, rosterOf)
}

func rosterOf(m gameagent.Players) exchange.Roster {
	return exchange.Roster{Listed: len(m.Players), Counted: m.Count}
}
