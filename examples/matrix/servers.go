package main

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/oneport"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// limits are the limits of our servers, which otherwise have the default settings: they
// allow all queries of a case at once.
func limits() lobbywire.Rates { return lobbywire.Rates{PerSource: 1000, PerPrefix: 1000} }

// The limit of players and the name of the map that all servers have.
const (
	maxPlayers = 255
	mapName    = "Strike At Karkand"
)

// score and ping belong to a player.
func score(i int) int { return 300 - i }
func ping(i int) int  { return 20 + i }

// battlefieldState returns the state of a server of GameSpy's queries with players, teams
// and 15 keys.
func battlefieldState(c testCase) gamespy2net.State {
	state := gamespy2net.State{
		Info: []gamespy2.KeyValue{
			{Key: "hostname", Value: c.title}, {Key: "gamename", Value: "battlefield2"},
			{Key: "gamever", Value: "1.5.3153-802.0"}, {Key: "mapname", Value: mapName},
			{Key: "gametype", Value: "gpm_cq"}, {Key: "gamevariant", Value: "bf2"},
			{Key: "numplayers", Value: strconv.Itoa(c.players)}, {Key: "maxplayers", Value: strconv.Itoa(maxPlayers)},
			{Key: "gamemode", Value: "openplaying"}, {Key: "password", Value: "0"},
			{Key: "timelimit", Value: "14400"}, {Key: "hostport", Value: "16567"}, {Key: "bf2_ranked", Value: "1"},
			{Key: "bf2_team1", Value: "MEC"}, {Key: "bf2_team2", Value: "US"},
		},
		Players: gamespy2.Table{Columns: []string{"player_", "score_", "ping_", "team_", "deaths_", "pid_", "skill_",
			"AIBot_"}},
		Teams: gamespy2.Table{Columns: []string{"team_t", "score_t"}, Rows: [][]string{{"MEC", "0"}, {"US", "0"}}},
	}
	for i := range c.players {
		state.Players.Rows = append(state.Players.Rows, []string{
			c.player(i), strconv.Itoa(score(i)), strconv.Itoa(ping(i)), strconv.Itoa(1 + i%2),
			strconv.Itoa(i), strconv.Itoa(500000000 + i), strconv.Itoa(2 * i), "0",
		})
	}
	return state
}

// battlefield returns a server of GameSpy's queries. Names may have any length, so it
// cuts the packets as the documentation advises for that.
func battlefield(c testCase) (packetServer, error) {
	state := battlefieldState(c)
	s := newGameSpy()
	err := s.Set(state)
	if err != nil {
		state.Cut = gamespy2.CutColumns
		err = s.Set(state)
	}
	return s, err
}

// minecraft returns a server of Minecraft.
func minecraft(c testCase) (packetServer, error) {
	v := gamespy2.Minecraft{
		MOTD: c.title, GameType: "SMP", Version: "1.20.4", Plugins: "Paper: Map 1.2; Chat 3", Map: mapName,
		NumPlayers: new(c.players), MaxPlayers: new(maxPlayers), HostPort: new(25565), HostIP: "127.0.0.1",
	}
	for i := range c.players {
		v.Players = append(v.Players, c.player(i))
	}
	m := v.Response([4]byte{})
	s := newGameSpy()
	return s, s.Set(gamespy2net.State{Minecraft: true, Info: m.Info, Players: m.Players})
}

func newGameSpy() *gamespy2net.Server {
	return &gamespy2net.Server{Limits: gamespy2net.ServerLimits{Rates: limits(), Unverified: limits()}}
}

// seriousSam returns a server of GameAgent.
func seriousSam(c testCase) (packetServer, error) {
	state := gameagentnet.State{
		SessionName: c.title, GameName: "serioussamse", Version: "1.10", Level: mapName,
		GameType: "Fragmatch", MaxPlayers: maxPlayers,
	}
	status := gamespy1.Status{
		HostName: c.title, GameName: "serioussamse", GameVersion: "1.10", MapName: mapName,
		GameType: "Fragmatch", MaxPlayers: new(maxPlayers), HostPort: 25600,
	}
	for i := range c.players {
		player := gameagent.Player{Index: i, Name: c.player(i), Frags: new(int32(score(i))), Ping: new(ping(i))}
		state.Players = append(state.Players, player)
		status.Players = append(status.Players, gamespy1.Player(player))
	}
	s := oneport.New(limits())
	if err := cmp.Or(s.Set(state), s.GameSpy.Set(status)); err != nil {
		return nil, fmt.Errorf("set: %w", err)
	}
	return s, nil
}

// unityServer returns a server of SQP.
func unityServer(c testCase) (packetServer, error) {
	s := &sqpnet.Server{Limits: limits()}
	return s, s.Set(sqpnet.State{
		ServerInfo: sqp.ServerInfo{
			CurrentPlayers: uint16(c.players), MaxPlayers: maxPlayers, ServerName: c.title,
			GameType: "Fragmatch", BuildID: "1", Map: mapName, Port: 7777,
		},
		Metrics: metrics(),
	})
}

// metrics are the same for all servers of SQP.
func metrics() []float32 { return []float32{1, -0.5, 3.5} }
