package soak

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

// A bombermanVisit is a Bomberman game server.
type bombermanVisit struct {
	registrar *bombermannet.Registrar
	server    bomberman.Server
	running   sync.WaitGroup
	cancel    context.CancelFunc
}

func openBomberman(a *arrival, lobby string) (visit, error) {
	v := &bombermanVisit{
		registrar: &bombermannet.Registrar{Addr: lobby, Dial: from(addrOf(a.id), isRude(a.random)),
			Every: time.Second / 2},
		server: bomberman.Server{
			Name: a.name, Address: addrOf(a.id).String(), Port: gamePort, IsLobbyOpen: true,
			Players: bomberman.PlayerCount{Max: 4}, GameplayMode: bomberman.GameplayModeStandardA,
		},
	}
	if err := v.registrar.Set(v.server); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	v.cancel = cancel
	v.running.Go(func() { v.registrar.Run(ctx) })
	v.running.Go(func() {
		// The protocol has no answers, so the server counts as listed once it has sent
		// everything, on each connection.
		sent := uint64(0)
		for cli.Pause(ctx, time.Second/4) {
			now := v.registrar.Stats().Sent
			if v.registrar.Status().Standing == lobbywire.StandingListed && now > sent {
				sent = now
				a.came()
			}
		}
	})
	return v, nil
}

func (v *bombermanVisit) rename(name string) error {
	v.server.Name = name
	return v.registrar.Set(v.server)
}

func (v *bombermanVisit) leave(*rand.Rand) bool {
	v.cancel()
	v.running.Wait()
	return true
}
