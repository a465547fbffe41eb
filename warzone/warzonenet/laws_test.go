package warzonenet

import (
	"encoding"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/laws"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/announce"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
)

// An oldHost announces games of an earlier version, which do not answer checks.
type oldHost struct {
	laws.Host
	host *Host
	game warzone.Game
}

// SetView sets a game with the name of v.
func (h oldHost) SetView(v lobbywire.View) (changed []string) {
	h.game.Name = v.Name
	_ = h.host.Set(h.game)
	return nil
}

// law returns what lobbies obey with hosts of a game, or of version 4 if it is nil.
func law(t *testing.T, game *warzone.Game) laws.Lobby {
	t.Helper()
	newLobby := func(s laws.LobbySettings) *Lobby {
		return &Lobby{Games: gamestest.GamesOf(s), NoVerify: s.NoVerify, Dial: s.Dial, Limits: s.Limits, Refused: s.Refused}
	}
	wire := func(m encoding.BinaryAppender) []byte {
		b, err := m.AppendBinary(nil)
		fatalIf(t, err)
		return b
	}
	add := wire(warzone.AddGame{Game: gamestest.OfVersion(warzone.Version3, "Game")})
	l := laws.Lobby{
		New: func(s laws.LobbySettings) laws.StreamServer { return newLobby(s) },
		Nodes: func() func(s laws.LobbySettings) laws.StreamServer {
			h := gamestest.NewHub()
			return func(s laws.LobbySettings) laws.StreamServer {
				l := newLobby(s)
				l.Games.Store = h.Node()
				return l
			}
		},
		Host: func(s laws.HostSettings) laws.Host {
			h := &Host{Addr: s.Lobby, Dial: s.Dial, Logger: s.Logger, Changed: s.Changed}
			if game != nil {
				return oldHost{h, h, *game}
			}
			return h
		},
		Client:   func(dial laws.Dial) lobbywire.Lister { return &Client{Dial: dial, ListEvery: -1} },
		Conns:    func(s laws.StreamServer) lobbywire.ConnStats { return s.(*Lobby).Stats().ConnStats },
		BadAddrs: gamestest.BadAddrs(),
		Return:   announce.MinRetry * 3 / 2,
		Again:    announce.MaxRetry*3/2 + time.Minute,
		Request:  wire(warzone.ListRequest{}),
		Session: slices.Concat(wire(warzone.GameIDRequest{}),
			wire(warzone.AddGame{Game: gamestest.OfVersion(warzone.Version4, "One")}), wire(warzone.Keep{}),
			wire(warzone.Update{Game: gamestest.OfVersion(warzone.Version4, "Changed")}),
			wire(warzone.Update{Game: gamestest.OfVersion(warzone.Version4, "Two")})),
		Silences: []laws.Silence{
			{Name: "nothing", After: 10 * time.Second},
			{Name: "part of a command", Sent: string(add[:3]), After: 10 * time.Second},
			{Name: "part of a game", Sent: string(add[:700]), After: 10 * time.Second},
			{Name: "one byte a second", Sent: string(add[:1]), More: string(add[1:]), After: 10 * time.Second},
			{Name: "zero bytes", Sent: "\x00", More: strings.Repeat("\x00", 1000), After: 10 * time.Second},
			{Name: "only an id", Sent: "gaId\x00", After: 30 * time.Second},
			{Name: "keeps and no game", Sent: strings.Repeat("keep\x00", serving.Burst), After: 30 * time.Second},
			{Name: "a game", Sent: string(add), After: silentTimeout},
			{Name: "a game and a keep", Sent: string(add) + "keep\x00", After: keepTimeout},
		},
		Limits:  lobbywire.ConnLimits{Write: 10 * time.Second, MaxPerAddress: 64, MaxPerPrefix: 512},
		Golden:  []string{".."},
		Checks:  true,
		Unheard: lobbywire.StandingSilent,
	}
	if game != nil {
		l.Port = game.JoinPort()
	}
	l.Tells = game == nil || game.Version != 0
	return l
}

func TestLobbyObeysTheLaws(t *testing.T) {
	law(t, nil).Test(t)
	for name, game := range map[string]warzone.Game{
		"2.0": gamestest.Record(warzone.Layout20, "Game"),
		"2.1": gamestest.Record(warzone.Layout21, "Game"),
		"2.2": gamestest.OfVersion(warzone.Version2, "Game"),
		"2.3": gamestest.OfVersion(warzone.Version3, "Game"),
	} {
		t.Run(name, law(t, &game).TestChecks)
	}
}
