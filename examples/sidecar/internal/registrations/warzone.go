package registrations

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// Warzone returns a registration with a lobby of Warzone 2.0 to 4.6. The game must answer
// the lobby, which checks that it can be reached.
func Warzone(lobby string) *Registration {
	host := &warzonenet.Host{Addr: lobby}
	return &Registration{
		Protocol: "warzone", Master: lobby, run: host.Run, status: host.Status,
		complete: make(chan struct{}, 1),
		setView: func(v lobbywire.View) string {
			host.SetView(v)
			return withoutPort(v)
		},
	}
}

// withoutPort returns what the list of a lobby needs and a state lacks.
func withoutPort(v lobbywire.View) string {
	if v.Port == 0 {
		return "the list needs a port"
	}
	return ""
}
