package safety_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// A server is a server or master over UDP.
type server interface {
	Serve(pc net.PacketConn) error
	Close() error
	Respond(from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool)
}

// A kind is a type of server in one configuration.
type kind struct {
	name string
	make func(t testing.TB, rates lobbywire.Rates) server
}

// unlimited does not limit answers, so that limits hide none.
var unlimited = lobbywire.Rates{PerSource: 1 << 30, PerPrefix: 1 << 30, Global: 1 << 30}

// kinds are all servers and masters over UDP.
var kinds = []kind{
	{"sqpnet.Server", func(t testing.TB, rates lobbywire.Rates) server {
		s := &sqpnet.Server{Limits: rates}
		must(t, s.Set(sqpnet.State{
			ServerInfo:  sqp.ServerInfo{ServerName: "name", CurrentPlayers: 1, MaxPlayers: 16},
			ServerRules: []sqp.Rule{{Key: "rule", Value: sqp.String("value")}},
		}))
		return s
	}},
	{"gamespy2net.Server, challenges offered", gameSpy(gamespy2net.ChallengeOffered)},
	{"gamespy2net.Server, challenges required", gameSpy(gamespy2net.ChallengeRequired)},
	{"gamespy2net.Server, challenges off", gameSpy(gamespy2net.ChallengeOff)},
	{"gamespy2net.Server for Minecraft", func(t testing.TB, rates lobbywire.Rates) server {
		s := &gamespy2net.Server{Challenge: gamespy2net.ChallengeRequired,
			Limits: gamespy2net.ServerLimits{Rates: rates, Unverified: rates}}
		m := gamespy2.Minecraft{MOTD: "name", Version: "1.21", NumPlayers: new(1), MaxPlayers: new(20), HostPort: new(25565),
			Players: []string{"Alice"}}
		r := m.Response([4]byte{})
		must(t, s.Set(gamespy2net.State{Info: r.Info, Players: r.Players, Minecraft: true}))
		return s
	}},
	{"gameagentnet.Server", func(t testing.TB, rates lobbywire.Rates) server {
		s := &gameagentnet.Server{Limits: rates}
		must(t, s.Set(gameAgentState(2, 8)))
		return s
	}},
	{"gamespy1net.Server", func(t testing.TB, rates lobbywire.Rates) server {
		s := &gamespy1net.Server{Limits: rates}
		must(t, s.Set(gameSpy1Status(2, 8)))
		return s
	}},
	{"gamespy1net.Master", func(t testing.TB, rates lobbywire.Rates) server {
		return fullMaster(t, rates, 1)
	}},
	{gameSpyMaster, func(_ testing.TB, rates lobbywire.Rates) server { return newGameSpyMaster(rates) }},
}

const gameSpyMaster = "gamespy2net.Master"

// gmtest is the game of the samples of GameSpy's SDK.
var gmtest = gamespy2net.Game{Name: "gmtest", Key: "HA6zkS"}

// newGameSpyMaster returns a master of gmtest.
func newGameSpyMaster(rates lobbywire.Rates) *gamespy2net.Master {
	return &gamespy2net.Master{Games: []gamespy2net.Game{gmtest}, Limits: gamespy2net.MasterLimits{Rates: rates}}
}

func gameSpy(mode gamespy2net.ChallengeMode) func(t testing.TB, rates lobbywire.Rates) server {
	return func(t testing.TB, rates lobbywire.Rates) server {
		s := &gamespy2net.Server{Challenge: mode, Limits: gamespy2net.ServerLimits{Rates: rates, Unverified: rates}}
		must(t, s.Set(gameSpyState(2, 8)))
		return s
	}
}

// gameSpyState is a state with players whose names have a length.
func gameSpyState(players, length int) gamespy2net.State {
	s := gamespy2net.State{
		Info: []gamespy2.KeyValue{
			{Key: "hostname", Value: "name"}, {Key: "numplayers", Value: fmt.Sprint(players)},
			{Key: "maxplayers", Value: "255"},
		},
		Players: gamespy2.Table{Columns: []string{"player_", "score_"}},
	}
	for i := range players {
		s.Players.Rows = append(s.Players.Rows, []string{fmt.Sprintf("%0*d", length, i), "0"})
	}
	return s
}

// gameAgentState is a state with players whose names have a length.
func gameAgentState(players, length int) gameagentnet.State {
	s := gameagentnet.State{SessionName: "Awesome Server", GameName: "serioussamse", Version: "1.10", Level: "Yodeller",
		GameType: "Fragmatch", MaxPlayers: 16}
	for i := range players {
		s.Players = append(s.Players, gameagent.Player{Index: i, Name: fmt.Sprintf("%0*d", length, i),
			Frags: new(int32(0)), Ping: new(0)})
	}
	return s
}

// gameSpy1Status is a status with players whose names have a length.
func gameSpy1Status(players, length int) gamespy1.Status {
	s := gamespy1.Status{HostName: "Awesome Server", GameName: "serioussamse", GameVersion: "1.10", MapName: "Yodeller",
		GameType: "Fragmatch", MaxPlayers: new(16),
		FriendlyFire: new(false), WeaponsStay: new(true), AmmoStays: new(true), HealthArmorStays: new(false),
		AllowHealth: new(true), AllowArmor: new(true), InfiniteAmmo: new(false), RespawnInPlace: new(false),
		Password: new(false), VIPPlayers: new(false),
	}
	for i := range players {
		s.Players = append(s.Players, gamespy1.Player{Index: i, Name: fmt.Sprintf("%0*d", length, i),
			Frags: new(int32(0)), Ping: new(0)})
	}
	return s
}

// errNoNetwork is why a master queries no servers.
var errNoNetwork = errors.New("no network")

// noNetwork keeps a master from sending to the forged sources of heartbeats.
func noNetwork(context.Context, string, string) (net.Conn, error) { return nil, errNoNetwork }

// fullMaster returns a master that lists n servers. It queries none.
func fullMaster(t testing.TB, rates lobbywire.Rates, n int) *gamespy1net.Master {
	m := &gamespy1net.Master{Dial: noNetwork}
	m.Limits.Rates, m.Limits.Lists = rates, rates
	for i := range n {
		enlist(t, m, netip.AddrPortFrom(netip.AddrFrom4([4]byte{11, byte(i >> 8), byte(i), 1}), 25601))
	}
	if got := m.Stats().Listed; got != n {
		t.Fatalf("%d servers listed, want %d", got, n)
	}
	return m
}

// enlist lists a server at a GameAgent master.
func enlist(t testing.TB, m *gamespy1net.Master, from netip.AddrPort) {
	join, err := gameagent.Join{}.AppendBinary(nil)
	must(t, err)
	answer, _ := m.Respond(from, join, nil)
	if len(answer) != 1 {
		t.Fatalf("join of %v: %d datagrams", from, len(answer))
	}
	c, err := gameagent.ParseChallenge(answer[0])
	must(t, err)
	beat, err := gameagent.Heartbeat{Challenge: c.Challenge, Product: "serioussamse"}.AppendBinary(nil)
	must(t, err)
	m.Respond(from, beat, nil)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
