package fuzzharness

import (
	"fmt"
	"net/netip"
	"strings"
	"sync"
)

// A GameAgentServer answers requests of the native form.
type GameAgentServer struct {
	mu   sync.Mutex
	game GameAgentGame
}

// A GameAgentGame is the state of a game that a GameAgentServer shows. Texts are without
// semicolons and the characters 1 to 4.
type GameAgentGame struct {
	SessionName, Level, GameType, Version string
	MaxPlayers                            int
	Players                               []string
}

// Set sets the state of the game.
func (s *GameAgentServer) Set(game GameAgentGame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.game = game
}

// Respond returns the answer to a datagram, or nil. The first byte is the type
// of the request.
func (s *GameAgentServer) Respond(_ netip.AddrPort, req []byte) []byte {
	if len(req) == 0 {
		return nil
	}
	s.mu.Lock()
	game := s.game
	s.mu.Unlock()
	switch req[0] {
	case 2:
		return fmt.Appendf(nil,
			"0;players;%d;maxplayers;%d;level;%s;gametype;%s;version;%s;gamename;serioussamse;sessionname;%s",
			len(game.Players), game.MaxPlayers, game.Level, game.GameType, game.Version, game.SessionName)
	case 3:
		var b strings.Builder
		fmt.Fprintf(&b, "\x01players\x02%d\x03", len(game.Players))
		for i, name := range game.Players {
			fmt.Fprintf(&b, "player_%d\x02^o%s^r\x03frags_%[1]d\x020\x03ping_%[1]d\x0250\x03", i, name)
		}
		return append([]byte(b.String()), 4)
	case 4:
		return fmt.Appendf(nil, "\x04%d", len(game.Players))
	}
	return nil
}
