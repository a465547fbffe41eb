package tricks

import (
	"bytes"
	"net"
	"net/netip"
	"strings"
	"sync"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/oneport"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

func hostOf(socket net.PacketConn) string {
	host, _, _ := net.SplitHostPort(socket.LocalAddr().String()) // it has one
	return host
}

// A datagrams is the stage for clients over UDP.
type datagrams struct {
	protocol      string
	minecraft     bool
	out           *said
	socket, other net.PacketConn

	mu      sync.Mutex
	trick   trick
	number  int
	name    string
	right   respond
	variant bool // a client has used another variant of the protocol
}

func (s *datagrams) play(t trick, name string) {
	v := lobbywire.View{
		Name: name, Map: "Harbor", Mode: "ctf", Version: "1.2", Port: 25601, Players: new(2), Max: new(16),
		Roster: []lobbywire.Player{{Name: "Ada"}, {Name: "Grace"}},
	}
	if t.view != nil {
		t.view(&v)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trick, s.number, s.name, s.variant = t, 0, name, false
	s.right = serverOf(s.protocol, s.minecraft, v)
}

func (s *datagrams) isOther() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.variant
}

// A respond is a server without a socket.
type respond func(from netip.AddrPort, request []byte, dst [][]byte) (answers [][]byte, ok bool)

// serverOf returns our server with a state.
func serverOf(protocol string, minecraft bool, v lobbywire.View) respond {
	switch protocol {
	case "sqp":
		server := new(sqpnet.Server)
		server.SetView(v)
		return server.Respond
	case "gameagent":
		server := oneport.New(lobbywire.Rates{})
		server.SetView(v)
		return server.Respond
	}
	server := new(gamespy2net.Server)
	if !minecraft {
		server.SetView(v)
		return server.Respond
	}
	full := gamespy2.Minecraft{
		MOTD: v.Name, GameType: "SMP", Version: "1.20.4", Map: v.Map, NumPlayers: v.Players, MaxPlayers: v.Max,
		HostPort: new(int(v.Port)), HostIP: "127.0.0.1",
	}
	for _, p := range v.Roster {
		full.Players = append(full.Players, p.Name)
	}
	m := full.Response([4]byte{})
	server.Challenge = gamespy2net.ChallengeRequired                                     // as Minecraft
	_ = server.Set(gamespy2net.State{Info: m.Info, Players: m.Players, Minecraft: true}) // our own state
	return server.Respond
}

// isStat reports whether a query of gamespy2 comes from a client of Minecraft. In a basic query
// the challenge must be positive, as all challenges are: qstat's first query has the same size and
// ends in the selectors ff ff ff and a flag.
func (s *datagrams) isStat(request []byte) bool {
	m, err := gamespy2.ParseStatRequest(request)
	const basic = 11 // bytes
	return s.protocol == "gamespy2" && !s.minecraft && err == nil &&
		(len(request) == basic && m.Challenge > 0 || m.Full && bytes.HasSuffix(request, make([]byte, 4)))
}

// renamed returns answers with another name of the same size.
func (s *datagrams) renamed(answers [][]byte) (all [][]byte) {
	other := wrongName + strings.Repeat("!", max(0, len(s.name)-len(wrongName)))
	for _, b := range answers {
		all = append(all, bytes.ReplaceAll(b, []byte(s.name), []byte(other)))
	}
	return all
}

// serve answers requests until the socket is closed.
func (s *datagrams) serve() error {
	buf := make([]byte, 1<<16)
	for {
		n, from, err := s.socket.ReadFrom(buf)
		if err != nil {
			return err
		}
		if at, ok := from.(*net.UDPAddr); ok {
			s.respond(at.AddrPort(), from, buf[:n])
		}
	}
}

// respond answers a request that a server answers. Answers go to its sender only, and have at most
// three times the size of the right ones.
func (s *datagrams) respond(at netip.AddrPort, from net.Addr, request []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.sent(request)
	if s.right == nil {
		return
	}
	s.variant = s.variant || s.isStat(request)
	right, _ := s.right(netip.AddrPortFrom(at.Addr().Unmap(), at.Port()), request, nil)
	if len(right) == 0 {
		return // it is not a request, and may come from an echo or from another listener
	}
	e := exchange{s.number, right, s.renamed(right)}
	s.number++
	if s.trick.foreign != nil {
		for _, b := range s.trick.foreign(e) {
			_, _ = s.other.WriteTo(b, from) // the client may be gone, here and below
		}
	}
	answers := e.right
	if s.trick.answer != nil {
		answers = s.trick.answer(e)
	}
	for _, b := range answers {
		_, _ = s.socket.WriteTo(b, from)
	}
}
