package proposalnet

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/laws"
	"github.com/lobbywire/lobbywire/warzone/internal/announce"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func TestLobbyObeysTheLaws(t *testing.T) {
	for _, f := range wireForms() {
		newLobby := func(s laws.LobbySettings) *Lobby {
			return &Lobby{Proposal: f.Proposal, Games: gamestest.GamesOf(s), NoVerify: s.NoVerify, Dial: s.Dial,
				Limits: s.Limits, Refused: s.Refused}
		}
		l := laws.Lobby{
			New: func(s laws.LobbySettings) laws.StreamServer { return newLobby(s) },
			Nodes: func() func(s laws.LobbySettings) laws.StreamServer {
				h := gamestest.NewHub()
				return func(s laws.LobbySettings) laws.StreamServer {
					l := newLobby(s)
					l.Games.Store, l.Key = h.Node(), make([]byte, 32)
					return l
				}
			},
			Host: func(s laws.HostSettings) laws.Host {
				return &Host{Proposal: f.Proposal, Addr: s.Lobby, Dial: s.Dial, Changed: s.Changed, Logger: s.Logger}
			},
			Client: func(dial laws.Dial) lobbywire.Lister {
				return &Client{Proposal: f.Proposal, Dial: dial, ListEvery: -1}
			},
			Unheard:  lobbywire.StandingSilent,
			Tells:    true,
			Conns:    func(s laws.StreamServer) lobbywire.ConnStats { return s.(*Lobby).Stats().ConnStats },
			BadAddrs: gamestest.BadAddrs(),
			Return:   f.life/4 + announce.MinRetry*3/2,
			Again:    announce.MaxRetry*3/2 + time.Minute,
			Leave:    unconfirmed,
			Request:  f.list,
			Session:  slices.Concat(f.open(2100, "One"), f.list, f.open(2100, "Two"), f.list),
			Silences: []laws.Silence{
				{Name: "nothing", After: 10 * time.Second},
				{Name: "part of a command", Sent: string(f.start), After: 10 * time.Second},
				{Name: "byte by byte", Sent: string(f.start), More: strings.Repeat(" ", 100), After: 10 * time.Second},
				{Name: "nothing after a list", Sent: string(f.list), After: 30 * time.Second},
			},
			Limits:   lobbywire.ConnLimits{Write: 10 * time.Second, MaxPerAddress: 64, MaxPerPrefix: 512},
			Golden:   []string{"..", "../../wzjson", "../.."},
			Outlives: true,
			Checks:   true,
		}
		if f.Proposal == JSON {
			l.Port = wzjson.DefaultPort
		}
		t.Run(f.String(), l.Test)
	}
}
