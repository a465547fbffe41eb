package gamestest

import (
	"github.com/lobbywire/lobbywire/internal/test/laws"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// GamesOf returns games with the settings of a law.
func GamesOf(s laws.LobbySettings) *warzonegames.Games {
	g := &warzonegames.Games{
		Limits:    warzonegames.Limits{MaxGames: s.Max, MaxPerAddress: s.Max, MaxPerPrefix: s.Max},
		MaxListed: s.Max,
		Public:    s.Public,
	}
	if s.Admit != nil {
		g.Admit = func(e warzonegames.Entry) bool { return s.Admit(e.Game.Name) }
	}
	return g
}

// NewHub returns a hub that joins the Stores of nodes.
func NewHub() *laws.Hub[warzonegames.Entry, uint32] {
	return &laws.Hub[warzonegames.Entry, uint32]{Key: func(e warzonegames.Entry) uint32 { return e.ID }}
}

// BadAddrs are addresses of lobbies over plain TCP that are not host:port, with the error
// of Run.
func BadAddrs() map[string]string {
	return map[string]string{"": "Addr is empty", "lobby.example": "missing port", "lobby.example:": "missing port",
		"2001:db8::1": "too many colons"}
}
