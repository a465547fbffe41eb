package soak

import (
	"context"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// httpLobby is the address of the HTTP lobby.
func (s *Soak) httpLobby() string { return "http://" + s.Addr[string(HTTP)] + "/lobby" }

// An httpVisit is a game of the HTTP lobby.
type httpVisit struct {
	id      int
	host    *wzhttpnet.Host
	at      netip.AddrPort
	room    wzhttp.Room
	hosted  *hosted
	end     context.CancelCauseFunc
	running sync.WaitGroup
}

func (s *Soak) openHTTP(a *arrival) (visit, error) {
	ln, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(netip.AddrPortFrom(addrOf(a.id), 0)))
	if err != nil {
		return nil, err
	}
	v := &httpVisit{id: a.id, at: netip.AddrPortFrom(addrOf(a.id), uint16(ln.Addr().(*net.TCPAddr).Port)),
		hosted: &s.hosted}
	a.name = s.model.come(a.id, v.at.Port())
	v.room = wzhttp.Room{Name: a.name, Map: wzhttp.Map{Name: "Rush"}, Players: wzhttp.Seats{Current: 1, Max: 4}}
	v.host = &wzhttpnet.Host{
		Addr: s.httpLobby(), Port: v.at.Port(), NoIPv6: true,
		Dial:    from(addrOf(a.id), isRude(a.random)),
		Changed: a.stands,
	}
	if err := v.host.Set(v.room); err != nil {
		ln.Close()
		return nil, err
	}
	ctx, end := context.WithCancelCause(context.Background())
	v.end = end
	v.running.Go(func() { v.host.ServeAlive(ln) })
	v.running.Go(func() { v.host.Run(ctx) })
	v.hosted.add(v)
	return v, nil
}

func (v *httpVisit) rename(name string) error {
	v.room.Name = name
	return v.host.Set(v.room)
}

// leave ends the game, or starts it, which also ends the listing.
func (v *httpVisit) leave(r *rand.Rand) bool {
	v.hosted.remove(v)
	game := v.host.Answer().GameID
	if r.IntN(2) == 0 {
		v.end(wzhttpnet.ErrStarted)
	} else {
		v.end(nil)
	}
	v.host.Close()
	v.running.Wait()
	v.hosted.over(game)
	return true
}

// hosted holds the games of the HTTP lobby that players may join.
type hosted struct {
	mu    sync.Mutex
	here  map[int]*httpVisit
	ended string // the id of the last game that has ended
}

func (h *hosted) add(v *httpVisit) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.here == nil {
		h.here = make(map[int]*httpVisit)
	}
	h.here[v.id] = v
}

func (h *hosted) remove(v *httpVisit) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.here, v.id)
}

// over records that a game has ended.
func (h *hosted) over(game string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = game
}

// last returns the id of the last game that has ended.
func (h *hosted) last() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.ended
}

// has reports whether a host is listed and has not begun to leave.
func (h *hosted) has(v *httpVisit) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.here[v.id] == v
}

// some returns up to most published games, chosen at random.
func (h *hosted) some(most int) (games []*httpVisit) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, v := range h.here { // in random order
		if len(games) == most {
			break
		}
		if v.host.Status().Standing == lobbywire.StandingListed {
			games = append(games, v)
		}
	}
	return games
}
