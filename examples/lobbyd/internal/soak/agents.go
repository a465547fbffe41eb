package soak

import (
	"context"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/net/ipv4"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
)

// agents are all GameAgent servers. They share a socket, where each answers at its own
// address, and a loop that sends their heartbeats.
type agents struct {
	master netip.AddrPort
	conn   *net.UDPConn
	packet *ipv4.PacketConn
	ending context.CancelFunc
	loops  sync.WaitGroup

	mu  sync.Mutex
	all map[netip.Addr]*agent
}

// An agent is one server. It is kept between visits, because allocating its rate
// limits is expensive.
type agent struct {
	addr   netip.Addr
	server gameagentnet.Server

	mu           sync.Mutex // for the fields below
	registration *gameagentnet.Registration
	came         func()        // nil if it is already listed
	isSilent     bool          // it left silently, and may still be listed
	unlisted     chan struct{} // not nil while it is removing itself from the list
	rejoin       time.Time     // when the master will hide it if it joins again
}

// hideEvery is slightly more than the interval at which a master hides a server that
// joins again.
const hideEvery = 11 * time.Second

func newAgents(master string) (*agents, error) {
	to, err := netip.ParseAddrPort(master)
	if err != nil {
		return nil, err
	}
	conn, err := net.ListenUDP("udp4", nil)
	if err != nil {
		return nil, err
	}
	conn.SetReadBuffer(4 << 20) // the system may allow less
	ctx, cancel := context.WithCancel(context.Background())
	a := &agents{master: to, conn: conn, packet: ipv4.NewPacketConn(conn), ending: cancel,
		all: make(map[netip.Addr]*agent)}
	if err := a.packet.SetControlMessage(ipv4.FlagDst, true); err != nil {
		cancel()
		conn.Close()
		return nil, err
	}
	a.loops.Go(a.receive)
	a.loops.Go(func() { a.tick(ctx) })
	return a, nil
}

func (a *agents) close() {
	a.ending()
	a.conn.Close()
	a.loops.Wait()
}

// gamePort returns the game port of the servers, one below the query port.
func (a *agents) gamePort() uint16 { return a.conn.LocalAddr().(*net.UDPAddr).AddrPort().Port() - 1 }

// at returns the agent at an address, and creates it if necessary.
func (a *agents) at(addr netip.Addr) *agent {
	a.mu.Lock()
	defer a.mu.Unlock()
	one := a.all[addr]
	if one == nil {
		one = &agent{addr: addr}
		a.all[addr] = one
	}
	return one
}

// find returns the agent at an address, or nil.
func (a *agents) find(addr netip.Addr) *agent {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.all[addr]
}

// send sends a datagram of an agent. Losses show up as faults later.
func (a *agents) send(from netip.Addr, to netip.AddrPort, b []byte) {
	a.packet.WriteTo(b, &ipv4.ControlMessage{Src: from.AsSlice()}, net.UDPAddrFromAddrPort(to))
}

// receive answers queries for all agents.
func (a *agents) receive() {
	b := make([]byte, 2048)
	var answers [][]byte
	for {
		n, control, sender, err := a.packet.ReadFrom(b)
		if err != nil {
			return
		}
		if control == nil {
			continue
		}
		to, _ := netip.AddrFromSlice(control.Dst.To4())
		one := a.find(to)
		if one == nil {
			continue
		}
		from := sender.(*net.UDPAddr).AddrPort()
		answers = one.answer(from, from == a.master, b[:n], answers[:0])
		for _, answer := range answers {
			a.send(to, from, answer)
		}
	}
}

func (one *agent) answer(from netip.AddrPort, isMaster bool, req []byte, answers [][]byte) [][]byte {
	one.mu.Lock()
	defer one.mu.Unlock()
	if isMaster && (one.unlisted != nil || one.came != nil) {
		one.rejoin = time.Now().Add(hideEvery) // its join may have been under way until now
	}
	if one.unlisted != nil && isMaster {
		close(one.unlisted) // the master hides the server when it sends the challenge
		one.unlisted = nil
	}
	if one.registration == nil {
		return answers
	}
	answers, _ = one.server.Respond(from, req, answers)
	if isMaster && len(answers) > 0 && one.came != nil {
		one.came()
		one.came = nil
	}
	return answers
}

// tick sends the heartbeats that are due.
func (a *agents) tick(ctx context.Context) {
	var b []byte
	for cli.Pause(ctx, 50*time.Millisecond) {
		a.mu.Lock()
		all := make([]*agent, 0, len(a.all))
		for _, one := range a.all {
			all = append(all, one)
		}
		a.mu.Unlock()
		now := time.Now()
		for _, one := range all {
			one.mu.Lock()
			if r := one.registration; r != nil && !r.Next().After(now) {
				for b = r.Tick(now, b[:0]); len(b) > 0; b = r.Tick(now, b[:0]) {
					a.send(one.addr, a.master, b)
				}
			}
			one.mu.Unlock()
		}
	}
}

// An agentVisit is a visit of an agent.
type agentVisit struct {
	all *agents
	one *agent
}

func (a *agents) open(at *arrival) (visit, error) {
	one := a.at(addrOf(at.id))
	v := &agentVisit{a, one}
	if err := v.rename(at.name); err != nil {
		return nil, err
	}
	r := &gameagentnet.Registration{Server: &one.server, Addr: a.master.String()}
	one.mu.Lock()
	defer one.mu.Unlock()
	one.registration, one.came = r, at.came
	if one.isSilent {
		one.isSilent, one.rejoin = false, time.Now().Add(hideEvery)
	}
	return v, nil
}

func (v *agentVisit) rename(name string) error {
	return v.one.server.Set(gameagentnet.State{
		SessionName: name, GameName: "serioussamse", Version: "1.10", Level: "Metropolis", GameType: "Cooperative",
		MaxPlayers: 8,
	})
}

// leave makes the agent fall silent, or removes it from the list.
func (v *agentVisit) leave(r *rand.Rand) bool {
	v.one.mu.Lock()
	v.one.registration.Leave(nil)
	v.one.registration, v.one.came = nil, nil
	isSilent := time.Now().Before(v.one.rejoin) || r.IntN(2) == 0
	v.one.isSilent = isSilent
	v.one.mu.Unlock()
	if isSilent {
		return false
	}
	v.all.unlist(v.one)
	return true
}

// retire removes a silent agent from the list.
func (a *agents) retire(id int) {
	one := a.find(addrOf(id))
	if one == nil {
		return
	}
	one.mu.Lock()
	isSilent, wait := one.isSilent, time.Until(one.rejoin)
	one.mu.Unlock()
	if isSilent {
		cli.Pause(context.Background(), wait) // even at the end: the master does not hide a server sooner
		a.unlist(one)
	}
}

// unlist joins without completing the challenge, until the master has hidden the
// server.
func (a *agents) unlist(one *agent) {
	join, _ := gameagent.Join{}.AppendBinary(nil)
	unlisted := make(chan struct{})
	one.mu.Lock()
	one.isSilent, one.unlisted, one.rejoin = false, unlisted, time.Now().Add(hideEvery)
	one.mu.Unlock()
	for {
		a.send(one.addr, a.master, join)
		t := time.NewTimer(time.Second)
		select {
		case <-unlisted:
			t.Stop()
			return
		case <-t.C:
		}
	}
}
