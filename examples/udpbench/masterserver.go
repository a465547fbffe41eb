package main

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
)

// A masterJob is a master to be, with servers listed.
type masterJob struct {
	Servers     int
	Ports       []uint16 // that they send from, in turn
	ListPackets int      // in an answer
}

// maxMasterServers is how many addresses server has.
const maxMasterServers = 1 << 20

// server returns the address of server i, which is one of this machine.
func (j *masterJob) server(i int) netip.AddrPort {
	addr := netip.AddrFrom4([4]byte{127, 1 + byte(i>>16), byte(i >> 8), byte(i)})
	return netip.AddrPortFrom(addr, j.Ports[i%len(j.Ports)])
}

// heartbeat is what a server sends when it is listed.
func heartbeat(challenge int32) ([]byte, error) {
	return gameagent.Heartbeat{
		Challenge:  challenge,
		Players:    9,
		MaxPlayers: 16,
		Level:      "Yodeller",
		GameType:   "Fragmatch",
		Version:    "1.10",
		Product:    "serioussamse",
	}.MarshalBinary()
}

// master returns the master with its servers, of which each has joined, and sent
// a heartbeat of those that it repeats.
func (j *masterJob) master() (*gameagentnet.Master, error) {
	m := &gameagentnet.Master{
		Limits: gameagentnet.MasterLimits{
			Rates:          noLimits(),
			Lists:          noLimits(),
			MaxListPackets: j.ListPackets,
			MaxServers:     j.Servers,
		},
	}
	join, err := gameagent.Join{}.MarshalBinary()
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
		if dst = m.Respond(from, join, dst[:0]); len(dst) != 1 {
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
		dst = m.Respond(from, b, dst[:0])
		dst = m.Respond(from, repeated, dst)
	}
	if n := m.Stats().Listed; n != j.Servers {
		return nil, fmt.Errorf("%d of %d servers are listed", n, j.Servers)
	}
	return m, nil
}
