package servers

import (
	"fmt"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

// NewManagementServer returns a management server of Bomberman.
func NewManagementServer() Server {
	m := new(bombermannet.ManagementServer)
	return Server{
		accept:   m.Serve,
		shutdown: m.Shutdown,
		Stats: func() string {
			s := m.Stats()
			return fmt.Sprintf("accepted %d connections, sent %d lists, discarded %d messages", s.Accepted, s.Answered,
				s.Discarded)
		},
	}
}
