package main

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/certificate"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/health"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/refusals"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// masters are all masters. The lobbies of Warzone share their games.
type masters struct {
	gameagent *gamespy1net.Master
	gamespy   *gamespy2net.Master
	bomberman *bombermannet.ManagementServer

	games    *warzonegames.Games
	lobby    *warzonenet.Lobby
	layout21 *warzonenet.Lobby
	layout20 *warzonenet.Lobby
	text     *proposalnet.Lobby
	binary   *proposalnet.Lobby
	json     *proposalnet.Lobby
	http     *wzhttpnet.Lobby

	httpConns admission.Conns // of the separate port of http

	served atomic.Pointer[map[string][]string] // games, by the name of the server
}

// A sharing holds the stores that share the lists of masters with other nodes. They are
// nil without a cluster.
type sharing struct {
	gameagent gamespy1net.Store
	gamespy   gamespy2net.Store
	bomberman bombermannet.Store
	warzone   warzonegames.Store
}

// newMasters returns masters that list the servers that the judge admits.
func newMasters(c config, shared sharing, judge *health.Judge, log *slog.Logger) *masters {
	conns := c.Warzone.limits()
	public := c.public()
	named := func(name string) *slog.Logger { return log.With("server", name) }
	m := &masters{
		gameagent: &gamespy1net.Master{
			Limits:   c.GameAgent.limits(),
			Games:    c.GameAgent.games(),
			SyncFrom: c.GameAgent.SyncFrom,
			SyncFor:  c.GameAgent.peers(),
			Admit:    judge.AdmitGameAgent,
			Public:   public,
			Store:    shared.gameagent,
			Logger:   named("gameagent"),
		},
		gamespy: &gamespy2net.Master{
			Games:  c.GameSpy.games(),
			Limits: c.GameSpy.limits(),
			Admit:  judge.AdmitGameSpy,
			Public: public,
			Store:  shared.gamespy,
			Logger: named("gamespy"),
		},
		bomberman: &bombermannet.ManagementServer{
			Limits:         c.Bomberman.limits(),
			HideUntilStats: c.Bomberman.HideUntilStats,
			Admit:          judge.AdmitBomberman,
			Public:         public,
			Store:          shared.bomberman,
			Logger:         named("bomberman"),
		},
		games: &warzonegames.Games{
			Limits:     c.Warzone.gameLimits(),
			MaxListed:  int(c.Warzone.MaxListed),
			RecordPort: c.Warzone.RecordPort,
			Admit:      judge.AdmitWarzone,
			Public:     public,
			Store:      shared.warzone,
		},
	}
	lobby := func(name string, layout warzone.Layout) *warzonenet.Lobby {
		return &warzonenet.Lobby{
			Games: m.games, MOTD: c.Warzone.MOTD, Layout: layout, NoVerify: c.Warzone.NoVerify,
			Limits: conns, Logger: named(name),
		}
	}
	m.lobby = lobby("warzone", warzone.LayoutVersioned)
	m.layout21 = lobby("layout21", warzone.Layout21)
	m.layout20 = lobby("layout20", warzone.Layout20)
	proposed := func(p proposalnet.Proposal) *proposalnet.Lobby {
		return &proposalnet.Lobby{Proposal: p, Games: m.games, Key: c.tokenKey(), NoVerify: c.Warzone.NoVerify,
			Limits: conns, Logger: named(p.String())}
	}
	m.text = proposed(proposalnet.Text)
	m.binary = proposed(proposalnet.Binary)
	m.json = proposed(proposalnet.JSON)
	m.http = &wzhttpnet.Lobby{
		Games: m.games, MOTD: c.Warzone.MOTD, NoVerify: c.Warzone.NoVerify, AdmitJoin: judge.AdmitJoin,
		Key: c.tokenKey(), Limits: conns, Logger: named("http"),
	}
	if c.sharesPort() {
		m.gamespy.Other = m.gameagent.RespondAt
	}
	for _, p := range c.Warzone.TrustedProxies {
		m.http.TrustedProxies = append(m.http.TrustedProxies, p.Prefix)
	}
	m.httpConns.Set(c.Warzone.http())
	m.setServed(c)
	return m
}

// public returns the function for addresses of players, by the rules of -map; nil changes
// none.
func (c config) public() func(server netip.AddrPort) netip.AddrPort {
	if len(c.Map) == 0 {
		return nil
	}
	m, _ := newAddressMap(c.Map) // check has accepted the rules
	return m.public
}

// games returns the games that are listed in the legacy form.
func (c gameAgentConfig) games() map[string]gamespy1net.Game {
	games := gamespy1net.SeriousSam()
	for _, g := range c.Games {
		games[g.Name] = gamespy1net.Game{Key: g.Key, Validate: g.Validate, Native: g.Native,
			QueryPort: g.QueryPort}
	}
	return games
}

// A legacyList is the side of the GameAgent master that is over TCP.
type legacyList struct{ *gamespy1net.Master }

func (m legacyList) Serve(l net.Listener) error { return m.ServeLists(l) }

// sharesPort reports whether the GameSpy master takes the legacy form of GameAgent at
// its port, too.
func (c config) sharesPort() bool {
	_, port, _ := net.SplitHostPort(c.GameSpy.Listen.hostPort)
	return port != "" && port != "0" && c.GameSpy.Listen == c.GameAgent.Legacy
}

// games returns the games whose servers register with the GameSpy master.
func (c gameSpyConfig) games() (all []gamespy2net.Game) {
	for _, g := range c.Games {
		all = append(all, gamespy2net.Game{Name: g.Name, Key: g.Key, RequireChallenge: g.RequireChallenge})
	}
	return all
}

// texts returns the decoders of texts that are not UTF-8, by the names of games with an
// encoding.
func (c config) texts() map[string]func([]byte) string {
	of := make(map[string]func([]byte) string)
	for _, g := range c.GameAgent.Games {
		of[g.Name], _ = cli.TextDecoder(g.Encoding) // check has accepted it
	}
	for _, g := range c.GameSpy.Games {
		of[g.Name], _ = cli.TextDecoder(g.Encoding)
	}
	return of
}

// A gameSpyList is the side of the GameSpy master that is over TCP.
type gameSpyList struct{ *gamespy2net.Master }

func (m gameSpyList) Serve(l net.Listener) error { return m.ServeLists(l) }

// servers returns the servers of the masters. The server of -warzone-http uses TLS unless
// certificates is nil, and passes requests for paths outside the lobby to others.
func (m *masters) servers(
	c config, certificates *certificate.Keeper, limiter *admission.Limiter, others http.Handler,
) []*server {
	legacy := c.GameAgent.Legacy
	if c.sharesPort() {
		legacy = address{}
	}
	return []*server{
		{name: "http", at: c.Warzone.HTTP, tcp: newHTTPLobbyServer(m.http, certificates, limiter, &m.httpConns, others)},
		{name: "gameagent", at: c.GameAgent.Listen, udp: m.gameagent},
		{name: "gameagent-legacy", at: legacy, udp: m.gameagent},
		{name: "gameagent-list", at: c.GameAgent.List, tcp: legacyList{m.gameagent}},
		{name: "gamespy", at: c.GameSpy.Listen, udp: m.gamespy},
		{name: "gamespy-list", at: c.GameSpy.List, tcp: gameSpyList{m.gamespy}},
		{name: "warzone", at: c.Warzone.Listen, tcp: m.lobby},
		{name: "layout21", at: c.Warzone.Layout21, tcp: m.layout21},
		{name: "layout20", at: c.Warzone.Layout20, tcp: m.layout20},
		{name: "text", at: c.Warzone.Text, tcp: m.text},
		{name: "binary", at: c.Warzone.Binary, tcp: m.binary},
		{name: "json", at: c.Warzone.JSON, tcp: m.json},
		{name: "bomberman", at: c.Bomberman.Listen, tcp: m.bomberman},
	}
}

// report makes masters record servers that they do not list. Call it before they serve.
func (m *masters) report(to *refusals.Recent) {
	m.gameagent.Refused = to.Of("gameagent", false)
	m.gamespy.Refused = to.Of("gamespy", false)
	m.bomberman.Refused = to.Of("bomberman", true)
	m.lobby.Refused = to.Of("warzone", true)
	m.layout21.Refused = to.Of("layout21", true)
	m.layout20.Refused = to.Of("layout20", true)
	m.text.Refused = to.Of("text", true)
	m.binary.Refused = to.Of("binary", true)
	m.json.Refused = to.Of("json", true)
	m.http.Refused = to.Of("http", true)
}
