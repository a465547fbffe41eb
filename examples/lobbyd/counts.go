package main

import (
	"slices"

	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/metrics"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// counts returns the counts of all masters now.
func (f *fronts) counts() metrics.Counts {
	m, bans := f.lists.masters, f.rules.all()
	now := metrics.Counts{
		GameAgent: m.gameagent.Stats(),
		GameSpy:   m.gamespy.Stats(),
		Bomberman: m.bomberman.Stats(),
		Games:     m.games.Stats(),
		Lobbies: map[string]warzonenet.LobbyStats{
			"warzone": m.lobby.Stats(), "layout21": m.layout21.Stats(), "layout20": m.layout20.Stats(),
			"text": proposalStats(m.text), "binary": proposalStats(m.binary), "json": proposalStats(m.json),
			"http": lobbyStats(m.http.Stats()),
		},
		HTTP:     m.http.Stats(),
		Entries:  f.lists.catalogue.Snapshot().Entries,
		Kept:     f.lists.kept.Stats(),
		Ready:    f.ready.get() == ready,
		Prefixes: len(bans.Prefixes),
		Patterns: len(bans.Patterns),
		Refused:  f.rules.gate.Refused(),
		Unlisted: f.lists.refusals.Counts(),
		Limiters: [2]admission.Stats{f.public.Stats(), f.operators.Stats()},
		Expiries: f.lists.certificates.Expiries(),
	}
	now.Games.Cut = m.lacksGames()
	if f.lists.saved != nil {
		saved := f.lists.saved.Stats()
		now.Saved = &saved
	}
	if node := f.lists.node.Load(); node != nil {
		state := node.State()
		now.Cluster = &state
	}
	return now
}

// lacksGames reports whether a list of Warzone lacks games, because it has no room for all. The
// lists of the proposals have less room.
func (m *masters) lacksGames() bool {
	return m.games.Stats().Cut || slices.ContainsFunc([]*proposalnet.Lobby{m.text, m.binary, m.json},
		func(l *proposalnet.Lobby) bool { return l.Stats().Cut })
}

// lobbyStats returns the counts of the HTTP lobby that other lobbies have too. It does
// not count connections.
func lobbyStats(s wzhttpnet.LobbyStats) warzonenet.LobbyStats {
	return warzonenet.LobbyStats{
		Lists: s.Lists, Added: s.Added, Updated: s.Updated, Refused: s.Refused,
		Malformed: s.Malformed,
	}
}

// proposalStats returns the counts of the lobby of a proposal that other lobbies have
// too.
func proposalStats(l *proposalnet.Lobby) warzonenet.LobbyStats {
	s := l.Stats()
	return warzonenet.LobbyStats{
		ConnStats: s.ConnStats, Lists: s.Lists, Added: s.Added, Updated: s.Updated, Refused: s.Refused,
		Malformed: s.Malformed,
	}
}
