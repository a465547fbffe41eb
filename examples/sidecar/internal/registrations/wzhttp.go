package registrations

import (
	"context"
	"errors"
	"sync"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// WZHTTP returns a registration with a lobby of Warzone 4.7, at a URL. The game must answer
// the lobby, which checks that it can be reached, at the port of the state. If the state has
// none, that is the usual port of Warzone.
func WZHTTP(lobby string) *Registration {
	w := &webHost{lobby: lobby, host: &wzhttpnet.Host{Addr: lobby}}
	return &Registration{
		Protocol: "wzhttp", Master: lobby, run: w.run, complete: make(chan struct{}, 1),
		setView: w.setView, stands: w.stands,
	}
}

// A webHost keeps a game in the list of an HTTP lobby. The lobby gets the port when the game
// is announced, so a game at another port is announced again, by another Host.
type webHost struct {
	lobby string

	mu    sync.Mutex
	host  *wzhttpnet.Host
	leave context.CancelFunc // ends Run of host; nil before the first
}

func (w *webHost) setView(v lobbywire.View) (missing string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if v.Port != w.host.Port {
		w.host = &wzhttpnet.Host{Addr: w.lobby, Port: v.Port}
		if w.leave != nil {
			w.leave()
		}
	}
	w.host.SetView(v)
	return ""
}

// run runs the latest Host until ctx is done or the Host fails.
func (w *webHost) run(ctx context.Context) error {
	for ctx.Err() == nil {
		here, leave := context.WithCancel(ctx)
		w.mu.Lock()
		host := w.host
		w.leave = leave
		w.mu.Unlock()
		err := host.Run(here)
		hasMoved := here.Err() != nil
		leave()
		if !hasMoved {
			return err
		}
	}
	return ctx.Err()
}

func (w *webHost) stands() (Standing, string) {
	w.mu.Lock()
	state := w.host.State()
	w.mu.Unlock()
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
}
