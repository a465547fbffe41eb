package registrations

import (
	"net"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// GameSpy2 returns a registration with a GameSpy master, which knows the game by name and
// key. The server answers at pc.
func GameSpy2(master, game, key string, s *gamespy2net.Server, pc net.PacketConn) *Registration {
	task := &gamespy2net.Registration{Server: s, Addr: master, Conn: pc, Game: game, Key: key}
	return &Registration{Protocol: "gamespy2", Master: master, run: task.Run, status: task.Status}
}

// GameAgent returns a registration with a master of GameAgent. The server answers at pc.
func GameAgent(master string, s *gameagentnet.Server, pc net.PacketConn) *Registration {
	task := &gameagentnet.Registration{Server: s, Addr: master, Conn: pc}
	return &Registration{Protocol: "gameagent", Master: master, run: task.Run, status: task.Status}
}

// GameSpy1 returns a registration with a master of the first GameSpy protocol, which may know the
// game by a key. The server answers at pc.
func GameSpy1(master, key string, s *gamespy1net.Server, pc net.PacketConn) *Registration {
	task := &gamespy1net.Registration{Server: s, Addr: master, Conn: pc, Key: key}
	return &Registration{
		Protocol: "gameagent-legacy", Master: master, run: task.Run, status: task.Status,
		complete: make(chan struct{}, 1),
		setView: func(v lobbywire.View) (missing string) {
			if v.Game == "" {
				return "the list needs a game, by its name at the master"
			}
			return ""
		},
	}
}
