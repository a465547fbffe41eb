package main

import (
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
)

// hosts are connections that each have a game listed.
type hosts struct {
	all  []*host
	next int // the host to update next
}

type host struct {
	conn net.Conn
	game warzone.Game
}

// A registerJob connects hosts and lists their games.
type registerJob struct {
	Lobby netip.AddrPort
	Hosts int
}

// together is the number of hosts that register concurrently.
const together = 32

func (h *hosts) register(j registerJob) (loadResult, error) {
	h.all = make([]*host, j.Hosts)
	err := h.each(func(i int) (err error) {
		h.all[i], err = register(i, j.Lobby)
		return err
	})
	return loadResult{Done: j.Hosts}, err
}

// each calls f for each host, several at a time. It returns the first error.
func (h *hosts) each(f func(i int) error) error {
	var workers sync.WaitGroup
	var once sync.Once
	var first error
	for w := range together {
		workers.Go(func() {
			for i := w; i < len(h.all); i += together {
				if err := f(i); err != nil {
					once.Do(func() { first = fmt.Errorf("host %d: %w", i, err) })
					return
				}
			}
		})
	}
	workers.Wait()
	return first
}

// register connects host i and registers a game as version 4.3.3 does.
func register(i int, lobby netip.AddrPort) (*host, error) {
	c, err := dialFrom(i/perAddress, lobby)
	if err != nil {
		return nil, err
	}
	h := &host{conn: c, game: warzone.Game{
		Version: warzone.Version4, Name: fmt.Sprintf("Game %d", i), Size: warzone.SizeOfRecord,
		MaxPlayers: 4, UserFlags: [4]uint32{uint32(warzone.GameTypeSkirmish)}, Extra: "Extra",
		HostPort: uint16(2100 + i%perAddress), MapName: "Sk-Rush", HostName: "somebody",
		VersionString: "4.3.3", NetcodeMajor: 0x4000, NetcodeMinor: 0x4f,
		OS: warzone.OSLinux, NetcodeWord: 0x4000004f,
	}}
	request, err := warzone.GameIDRequest{}.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	if _, err := c.Write(request); err != nil {
		return nil, err
	}
	var id [4]byte
	if _, err := io.ReadFull(c, id[:]); err != nil {
		return nil, err
	}
	reply, err := warzone.ParseGameIDReply(id[:])
	if err != nil {
		return nil, err
	}
	h.game.GameID = reply.GameID
	request, err = (warzone.AddGame{Game: h.game}).AppendBinary(request[:0])
	if err != nil {
		return nil, err
	}
	return h, h.exchange(request)
}

func (h *host) send(request []byte) error {
	if err := h.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	_, err := h.conn.Write(request)
	return err
}

// exchange sends a request and reads the status that the lobby returns.
func (h *host) exchange(request []byte) error {
	if err := h.send(request); err != nil {
		return err
	}
	stream := warzone.LobbyStream{HasGameID: true}
	var b []byte
	for {
		m, _, err := stream.NextResponse(b)
		if err == nil {
			if status, ok := m.(warzone.Status); !ok || status.Code != warzone.StatusOK {
				return fmt.Errorf("the lobby answers with %T", m)
			}
			return nil
		}
		var more [512]byte
		n, err := h.conn.Read(more[:])
		if err != nil {
			return err
		}
		b = append(b, more[:n]...)
	}
}

// update changes the number of players.
func (h *host) update(players uint32) error {
	h.game.CurrentPlayers = players
	request, err := warzone.Update{Game: h.game}.AppendBinary(nil)
	if err != nil {
		return err
	}
	return h.exchange(request)
}

// An updateJob updates every host.
type updateJob struct{ Players uint32 }

func (h *hosts) updateAll(j updateJob) (loadResult, error) {
	err := h.each(func(i int) error { return h.all[i].update(j.Players) })
	return loadResult{Done: len(h.all)}, err
}

// keepUpdating updates one host after another at the given rate per second. It
// returns the number of failures.
func (h *hosts) keepUpdating(perSecond int, end time.Time) (failed int) {
	tick := time.NewTicker(time.Second / time.Duration(perSecond))
	defer tick.Stop()
	for now := range tick.C {
		if !now.Before(end) {
			break
		}
		host := h.all[h.next%len(h.all)]
		h.next++
		if host.update(host.game.CurrentPlayers^1) != nil {
			failed++
		}
	}
	return failed
}

// keep sends a keep-alive for every host. There is no answer.
func (h *hosts) keep() (loadResult, error) {
	request, err := warzone.Keep{}.AppendBinary(nil)
	if err != nil {
		return loadResult{}, err
	}
	err = h.each(func(i int) error {
		return h.all[i].send(request)
	})
	return loadResult{Done: len(h.all)}, err
}

func (h *hosts) close() {
	for _, host := range h.all {
		if host != nil {
			host.conn.Close()
		}
	}
}
