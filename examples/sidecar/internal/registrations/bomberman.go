package registrations

import (
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

// Bomberman returns a registration with a management server.
func Bomberman(master string) *Registration {
	task := &bombermannet.Registrar{Addr: master}
	return &Registration{
		Protocol: "bomberman", Master: master, run: task.Run, status: task.Status, complete: make(chan struct{}, 1),
		setView: func(v lobbywire.View) string {
			changed := task.SetView(v)
			if v.Host == "" || slices.Contains(changed, "host") || slices.Contains(changed, "port") {
				return "the list needs a host and a port, which is not 51963"
			}
			return ""
		},
	}
}
