package masters

import (
	"errors"
	"fmt"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// Warzone returns a registration with a lobby of Warzone 2.0 to 4.6. The game must answer
// the lobby, which checks that it can be reached.
func Warzone(lobby string) *Registration {
	host := &warzonenet.Host{Addr: lobby}
	return &Registration{
		Protocol: "warzone", Master: lobby, run: host.Run, complete: make(chan struct{}, 1),
		setView: func(v lobbywire.View) string {
			host.SetView(v)
			return withoutPort(v)
		},
		stands: func() (Standing, string) {
			state := host.State()
			switch {
			case state.Err != nil:
				return Unreachable, state.Err.Error()
			case !state.Announced:
				return Starting, ""
			case state.Status.Code != 0 && !state.Status.Code.OK():
				return Refused, fmt.Sprintf("%v, %q", state.Status.Code, state.Status.Text)
			}
			return Listed, ""
		},
	}
}

// WZHTTP returns a registration with a lobby of Warzone 4.7, at a URL. The game must answer
// the lobby, which checks that it can be reached, at the usual port of Warzone.
func WZHTTP(lobby string) *Registration {
	host := &wzhttpnet.Host{Addr: lobby}
	return &Registration{
		Protocol: "wzhttp", Master: lobby, run: host.Run, complete: make(chan struct{}, 1),
		setView: func(v lobbywire.View) string {
			host.SetView(v)
			return ""
		},
		stands: func() (Standing, string) {
			state := host.State()
			refusal := new(wzhttpnet.Error)
			switch {
			case state.Published:
				return Listed, ""
			case errors.As(state.Err, &refusal) || errors.Is(state.Err, wzhttpnet.ErrNotAccessible):
				return Refused, state.Err.Error()
			case state.Err != nil:
				return Unreachable, state.Err.Error()
			}
			return Starting, ""
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
