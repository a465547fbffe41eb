package main

import (
	"errors"
	"maps"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// configure applies the part of the configuration that may change while the masters serve,
// except the MOTD.
func (m *masters) configure(c config) {
	m.setServed(c)
	m.gameagent.SetGames(c.GameAgent.games())
	m.gameagent.SetLimits(c.GameAgent.limits())
	m.gameagent.SetSync(c.GameAgent.SyncFrom, c.GameAgent.peers())
	m.gamespy.SetGames(c.GameSpy.games())
	m.gamespy.SetLimits(c.GameSpy.limits())
	m.bomberman.SetLimits(c.Bomberman.limits())
	m.games.SetLimits(c.Warzone.gameLimits())
	conns := c.Warzone.limits()
	m.lobby.SetLimits(conns)
	m.layout21.SetLimits(conns)
	m.layout20.SetLimits(conns)
	m.text.SetLimits(conns)
	m.binary.SetLimits(conns)
	m.json.SetLimits(conns)
	m.http.SetLimits(conns)
	m.httpConns.Set(c.Warzone.http())
}

// setServed sets the games that gamesOf returns.
func (m *masters) setServed(c config) {
	served := map[string][]string{"gameagent": slices.Collect(maps.Keys(c.GameAgent.games()))}
	for _, g := range c.GameSpy.Games {
		served["gamespy"] = append(served["gamespy"], g.Name)
	}
	m.served.Store(&served)
}

// gamesOf returns the names of the games that a server lists, for masters of several games.
func (m *masters) gamesOf(server string) []string { return slices.Clone((*m.served.Load())[server]) }

// setMOTD changes the greeting of the Warzone lobbies.
func (m *masters) setMOTD(text string) error {
	return errors.Join(m.lobby.SetMOTD(text), m.layout21.SetMOTD(text), m.layout20.SetMOTD(text), m.http.SetMOTD(text))
}

func (c gameAgentConfig) limits() gamespy1net.MasterLimits {
	return gamespy1net.MasterLimits{
		Rates:         lobbywire.Rates{PerSource: int(c.PerSource)},
		Lists:         lobbywire.Rates{PerSource: int(c.ListPerSource)},
		MaxServers:    int(c.MaxServers),
		MaxPerAddress: int(c.MaxPerAddress),
		MaxPerPrefix:  int(c.MaxPerPrefix),
		Conns:         lobbywire.ConnLimits{MaxConns: int(c.MaxConns)},
	}
}

// peers returns the masters that may fetch servers.
func (c gameAgentConfig) peers() (all []netip.Prefix) {
	for _, p := range c.SyncFor {
		all = append(all, p.Prefix)
	}
	return all
}

func (c gameSpyConfig) limits() gamespy2net.MasterLimits {
	return gamespy2net.MasterLimits{
		Rates:         lobbywire.Rates{PerSource: int(c.PerSource)},
		MaxServers:    int(c.MaxServers),
		MaxPerAddress: int(c.MaxPerAddress),
		MaxPerPrefix:  int(c.MaxPerPrefix),
		Conns:         lobbywire.ConnLimits{MaxConns: int(c.MaxConns)},

		MaxSubscribers: int(c.MaxSubscribers),
		Filters:        lobbywire.Rates{PerSource: int(c.FilterSteps)},
	}
}

func (c warzoneConfig) gameLimits() warzonegames.Limits {
	return warzonegames.Limits{
		MaxGames:      int(c.MaxGames),
		MaxPerAddress: int(c.MaxGamesPerAddress),
		MaxPerPrefix:  int(c.MaxGamesPerPrefix),
	}
}

func (c bombermanConfig) limits() bombermannet.ManagementServerLimits {
	return bombermannet.ManagementServerLimits{
		ConnLimits: c.connectionsConfig.limits(),
		MaxServers: int(c.MaxServers),
	}
}

// limits returns the limits of servers over TCP.
func (c connectionsConfig) limits() lobbywire.ConnLimits {
	return lobbywire.ConnLimits{
		MaxConns:      int(c.MaxConns),
		MaxPerAddress: int(c.MaxPerAddress),
		MaxPerPrefix:  int(c.MaxPerPrefix),
	}
}
