package main

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// A game is one of our servers and the requests to it.
type game struct {
	respond func(from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool)
	serve   func(net.PacketConn) error

	// requests are sent in turn. Each has a different length.
	requests [][]byte
	answers  []int // datagrams of the answer to each
	repeated int   // index of the first request that a load repeats: the one with a split answer, or 0

	// learn takes the challenge for later requests from an answer of type challenge.
	// It is nil if the game has no challenges.
	learn     func(answer []byte, requests [][]byte)
	challenge byte // type
}

// learnFrom calls learn if answer contains a challenge.
func (g *game) learnFrom(answer []byte, requests [][]byte) {
	if g.learn != nil && len(answer) > 0 && answer[0] == g.challenge {
		g.learn(answer, requests)
	}
}

// countAnswers sets answers and repeated.
func (g *game) countAnswers() {
	from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), 1)
	requests := cloneAll(g.requests)
	for i, request := range requests {
		answers, _ := g.respond(from, request, nil)
		g.answers = append(g.answers, len(answers))
		for _, b := range answers {
			g.learnFrom(b, requests)
		}
		if len(answers) > 1 {
			g.repeated = i
		}
	}
}

// cloneAll returns a copy of requests whose challenges can be set.
func cloneAll(requests [][]byte) [][]byte {
	clones := make([][]byte, len(requests))
	for i, b := range requests {
		clones[i] = bytes.Clone(b)
	}
	return clones
}

// unlimited is a rate limit that no load reaches.
const unlimited = 1_000_000_000

// noLimits returns limits that no load reaches.
func noLimits() lobbywire.Rates {
	return lobbywire.Rates{PerSource: unlimited, Global: unlimited}
}

// gameNames are the games in the order of measurement.
func gameNames() []string {
	return []string{"sqp-0", "sqp-255", "sqp-all-16", "gamespy2", "gameagent", "sqp-parts", "gamespy2-parts"}
}

// newGame returns the game with a name.
func newGame(name string) (*game, error) {
	g, err := newServer(name)
	if err == nil {
		g.countAnswers()
	}
	return g, err
}

func newServer(name string) (*game, error) {
	switch name {
	case "sqp-0":
		return newSQP(0, sqp.ChunkServerInfo)
	case "sqp-255":
		return newSQP(255, sqp.ChunkServerInfo)
	case "sqp-all-16":
		return newSQP(16, sqp.AllChunks)
	case "sqp-parts":
		return newSQP(255, sqp.AllChunks)
	case "gamespy2":
		return newGameSpy2(8)
	case "gamespy2-parts":
		return newGameSpy2(128)
	case "gameagent":
		return newGameAgent(8)
	}
	return nil, fmt.Errorf("no game %q", name)
}

func newSQP(players int, chunks sqp.Chunks) (*game, error) {
	table := sqp.Table{
		Columns: []string{"name", "score"},
		Types:   []sqp.ValueType{sqp.ValueString, sqp.ValueUint32},
	}
	for i := range players {
		table.Rows = append(table.Rows, []sqp.Value{sqp.String(playerName(i)), sqp.Uint32(uint32(i))})
	}
	s := &sqpnet.Server{Limits: noLimits()}
	err := s.Set(sqpnet.State{
		ServerInfo: sqp.ServerInfo{
			CurrentPlayers: uint16(players),
			MaxPlayers:     255,
			ServerName:     "Benchmark",
			GameType:       "deathmatch",
			BuildID:        "1.0.0",
			Map:            "arena_01",
			Port:           7777,
		},
		PlayerInfo: table,
	})
	if err != nil {
		return nil, err
	}
	requests, err := encode(sqp.ChallengeRequest{}, sqp.QueryRequest{Version: sqp.Version, Chunks: chunks})
	return &game{
		respond:   s.Respond,
		serve:     s.Serve,
		requests:  requests,
		challenge: byte(sqp.TypeChallenge),
		learn: func(answer []byte, requests [][]byte) {
			if m, err := sqp.ParseChallengeResponse(answer); err == nil {
				binary.BigEndian.PutUint32(requests[1][1:], m.Token)
			}
		},
	}, err
}

func newGameSpy2(players int) (*game, error) {
	s := &gamespy2net.Server{
		Challenge: gamespy2net.ChallengeOffered, // quakestat -gs3 sends queries without challenges
		Limits: gamespy2net.ServerLimits{
			Rates:      noLimits(),
			Unverified: noLimits(),
		},
	}
	state := gamespy2net.State{
		Info: []gamespy2.KeyValue{
			{Key: "hostname", Value: "Benchmark"},
			{Key: "gamename", Value: "battlefield2"},
			{Key: "gamever", Value: "1.5.3153-802.0"},
			{Key: "mapname", Value: "Strike At Karkand"},
			{Key: "gametype", Value: "gpm_cq"},
			{Key: "gamevariant", Value: "bf2"},
			{Key: "numplayers", Value: fmt.Sprint(players)},
			{Key: "maxplayers", Value: "64"},
			{Key: "gamemode", Value: "openplaying"},
			{Key: "password", Value: "0"},
			{Key: "hostport", Value: "16567"},
		},
		Players: gamespy2.Table{Columns: []string{"player_", "score_", "ping_", "team_", "deaths_"}},
		Teams: gamespy2.Table{
			Columns: []string{"team_t", "score_t"},
			Rows:    [][]string{{"MEC", "10"}, {"US", "12"}},
		},
	}
	for i := range players {
		state.Players.Rows = append(state.Players.Rows, []string{playerName(i), "7", "40", "1", "3"})
	}
	if err := s.Set(state); err != nil {
		return nil, err
	}
	id := [4]byte{1, 2, 3, 4}
	requests, err := encode(gamespy2.Request{Type: gamespy2.TypeChallenge, ID: id}, gamespy2.Request{
		ID:           id,
		HasChallenge: true,
		Info:         gamespy2.All(),
		Players:      gamespy2.All(),
		Teams:        gamespy2.All(),
		Flags:        gamespy2.FlagSplit,
	})
	return &game{
		respond:   s.Respond,
		serve:     s.Serve,
		requests:  requests,
		challenge: byte(gamespy2.TypeChallenge),
		learn: func(answer []byte, requests [][]byte) {
			if m, err := gamespy2.ParseChallengeResponse(answer); err == nil {
				binary.BigEndian.PutUint32(requests[1][len(requests[0]):], uint32(m.Number))
			}
		},
	}, err
}

func newGameAgent(players int) (*game, error) {
	s := &gameagentnet.Server{Limits: noLimits()}
	state := gameagentnet.State{
		SessionName: "Benchmark",
		GameName:    "serioussamse",
		Version:     "1.10",
		Level:       "Yodeller",
		GameType:    "Fragmatch",
		MaxPlayers:  16,
	}
	for i := range players {
		state.Players = append(state.Players, gameagent.Player{Index: i, Name: playerName(i)})
	}
	if err := s.Set(state); err != nil {
		return nil, err
	}
	requests, err := encode(gameagent.StatusRequest{})
	return &game{respond: s.Respond, serve: s.Serve, requests: requests}, err
}

// encode returns the bytes of requests.
func encode(all ...encoding.BinaryAppender) (requests [][]byte, err error) {
	for _, m := range all {
		b, err := m.AppendBinary(nil)
		if err != nil {
			return nil, err
		}
		requests = append(requests, b)
	}
	return requests, nil
}

func playerName(i int) string { return fmt.Sprintf("player%03d", i) }
