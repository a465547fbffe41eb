package fuzzharness

import (
	"fmt"
	"net/netip"
	"strings"
)

// A GameAgentServer answers requests of the native form.
type GameAgentServer struct {
	Level, SessionName string // without semicolons
	MaxPlayers         int
	Players            []string
}

// Respond returns the answer to a datagram, or nil. The first byte is the type
// of the request.
func (s *GameAgentServer) Respond(_ netip.AddrPort, req []byte) []byte {
	if len(req) == 0 {
		return nil
	}
	switch req[0] {
	case 2:
		return fmt.Appendf(nil,
			"0;players;%d;maxplayers;%d;level;%s;gametype;Fragmatch;version;1.10;gamename;serioussamse;sessionname;%s",
			len(s.Players), s.MaxPlayers, s.Level, s.SessionName)
	case 3:
		var b strings.Builder
		fmt.Fprintf(&b, "\x01players\x02%d\x03", len(s.Players))
		for i, name := range s.Players {
			fmt.Fprintf(&b, "player_%d\x02^o%s^r\x03frags_%[1]d\x020\x03ping_%[1]d\x0250\x03", i, name)
		}
		return append([]byte(b.String()), 4)
	case 4:
		return fmt.Appendf(nil, "\x04%d", len(s.Players))
	}
	return nil
}
