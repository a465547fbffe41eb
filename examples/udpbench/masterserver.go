package main

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// A masterJob describes a master with listed servers.
type masterJob struct {
	Servers     int
	Ports       []uint16 // from which the servers send, in turn
	ListPackets int      // packets of a list
}

// maxMasterServers is the number of addresses that server returns.
const maxMasterServers = 1 << 20

// server returns the address of server i, an address of this machine.
func (j *masterJob) server(i int) netip.AddrPort {
	addr := netip.AddrFrom4([4]byte{127, 1 + byte(i>>16), byte(i >> 8), byte(i)})
	return netip.AddrPortFrom(addr, j.Ports[i%len(j.Ports)])
}

// heartbeat returns the heartbeat of a listed server.
func heartbeat(challenge int32) ([]byte, error) {
	return gameagent.Heartbeat{
		Challenge:  challenge,
		Players:    new(9),
		MaxPlayers: new(16),
		Level:      "Yodeller",
		GameType:   "Fragmatch",
		Version:    "1.10",
		Product:    "serioussamse",
	}.AppendBinary(nil)
}

// master returns a master with its servers. Each has joined and sent a heartbeat.
func (j *masterJob) master() (*gamespy1net.Master, error) {
	m := &gamespy1net.Master{
		Limits: gamespy1net.MasterLimits{
			Rates:          noLimits(),
			Lists:          noLimits(),
			MaxListPackets: j.ListPackets,
			MaxServers:     j.Servers,
		},
	}
	join, err := gameagent.Join{}.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	repeated, err := heartbeat(0)
	if err != nil {
		return nil, err
	}
	var dst [][]byte
	for i := range j.Servers {
		from := j.server(i)
		dst, _ = m.Respond(from, join, dst[:0])
		if len(dst) != 1 {
			return nil, errors.New("a join has no answer")
		}
		challenge, err := gameagent.ParseChallenge(dst[0])
		if err != nil {
			return nil, err
		}
		b, err := heartbeat(challenge.Challenge)
		if err != nil {
			return nil, err
		}
		dst, _ = m.Respond(from, b, dst[:0])
		dst, _ = m.Respond(from, repeated, dst)
	}
	if n := m.Stats().Listed; n != j.Servers {
		return nil, fmt.Errorf("%d of %d servers are listed", n, j.Servers)
	}
	return m, nil
}
