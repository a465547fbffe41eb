package registrations

import (
	"net"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// GameSpy2 returns a registration with a GameSpy master, which knows the game by name and
// key. The server answers at pc.
func GameSpy2(master, game, key string, s *gamespy2net.Server, pc net.PacketConn) *Registration {
	task := &gamespy2net.Registration{Server: s, Addr: master, Conn: pc, Game: game, Key: key}
	return &Registration{Protocol: "gamespy2", Master: master, run: task.Run, status: task.Status}
}

// GameAgent returns a registration with a master of GameAgent, by the protocol gameagent or
// gameagent-legacy. The server answers at pc.
func GameAgent(protocol, master string, s *gameagentnet.Server, pc net.PacketConn) *Registration {
	legacy := protocol == "gameagent-legacy"
	task := &gameagentnet.Registration{Server: s, Addr: master, Conn: pc, Legacy: legacy}
	r := &Registration{Protocol: protocol, Master: master, run: task.Run, status: task.Status}
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
