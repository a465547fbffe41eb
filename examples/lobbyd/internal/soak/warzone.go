package soak

import (
	"context"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// A lobbyVisit is a game of the lobby's own protocol.
type lobbyVisit struct {
	host    *warzonenet.Host
	game    warzone.Game
	running sync.WaitGroup
}

func (s *Soak) openLobby(a *arrival, lobby string) (visit, error) {
	ln, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(netip.AddrPortFrom(addrOf(a.id), 0)))
	if err != nil {
		return nil, err
	}
	port := uint16(ln.Addr().(*net.TCPAddr).Port)
	a.name = s.model.come(a.id, port)
	v := &lobbyVisit{game: warzone.Game{
		Version: warzone.Version4, Name: a.name, MapName: "Rush", MaxPlayers: 4, CurrentPlayers: 1, HostPort: port,
	}}
	v.host = &warzonenet.Host{
		Addr:    lobby,
		Dial:    from(addrOf(a.id), isRude(a.random)),
		Changed: a.stands,
	}
	if err := v.host.Set(v.game); err != nil {
		ln.Close()
		return nil, err
	}
	v.running.Go(func() { v.host.ServeAlive(ln) })
	v.running.Go(func() { v.host.Run(context.Background()) })
	return v, nil
}

func (v *lobbyVisit) rename(name string) error {
	v.game.Name = name
	return v.host.Set(v.game)
}

func (v *lobbyVisit) leave(*rand.Rand) bool {
	v.host.Close()
	v.running.Wait()
	return true
}
