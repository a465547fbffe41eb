package registrations

import (
	"errors"
	"net"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// GameSpy2 returns a registration with a GameSpy master, which knows the game by name and
// key. The server answers at pc.
func GameSpy2(master, game, key string, s *gamespy2net.Server, pc net.PacketConn) *Registration {
	task := &gamespy2net.Registration{Server: s, Addr: master, Conn: pc, Game: game, Key: key}
	return &Registration{Protocol: "gamespy2", Master: master, run: task.Run, stands: func() (Standing, string) {
		stats := task.Stats()
		switch {
		case errors.Is(stats.Err, lobbywire.ErrTimeout):
			return Silent, stats.Err.Error()
		case errors.As(stats.Err, new(*net.DNSError)):
			return Unreachable, stats.Err.Error()
		case stats.Err != nil && (stats.Challenged || strings.Contains(stats.Err.Error(), "master")):
			return Refused, stats.Err.Error()
		case stats.Err != nil:
			return Unreachable, stats.Err.Error()
		case stats.Registered:
			return Listed, ""
		case stats.Challenged:
			return Unconfirmed,
				"the master has challenged the server, but not confirmed the answer; the key may be wrong"
		}
		return Starting, ""
	}}
}

// GameAgent returns a registration with a master of GameAgent, by the protocol gameagent or
// gameagent-legacy. The server answers at pc.
func GameAgent(protocol, master string, s *gameagentnet.Server, pc net.PacketConn) *Registration {
	legacy := protocol == "gameagent-legacy"
	task := &gameagentnet.Registration{Server: s, Addr: master, Conn: pc, Legacy: legacy}
	r := &Registration{Protocol: protocol, Master: master, run: task.Run, stands: func() (Standing, string) {
		stats := task.Stats()
		switch {
		case errors.Is(stats.Err, lobbywire.ErrTimeout):
			return Silent, stats.Err.Error()
		case stats.Err != nil:
			return Unreachable, stats.Err.Error()
		case stats.Challenged:
			return Listed, ""
		case legacy && stats.Sent > 0:
			return Unconfirmed, "the master has sent no challenge, which not all masters of this form do"
		}
		return Starting, ""
	}}
	if legacy {
		r.complete = make(chan struct{}, 1)
		r.setView = func(v lobbywire.View) (missing string) {
			if v.Game == "" {
				return "the list needs a game, by its name at the master"
			}
			return ""
		}
	}
	return r
}
