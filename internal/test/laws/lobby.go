package laws

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A Lobby is a lobby, or another master over TCP, with its hosts and clients, to be tested by
// Test.
type Lobby struct {
	New    func(s LobbySettings) StreamServer
	Host   func(s HostSettings) Host
	Client func(dial Dial) lobbywire.Lister // without a cache

	Scheme   string            // before the address of a lobby
	Head     string            // before a message of a lobby
	BadAddrs map[string]string // addresses of lobbies, with the error of Run

	Return time.Duration // until a host is listed again by a lobby that was lost for a moment
	Again  time.Duration // the same after any time
	Leave  time.Duration // how long a host takes to end if no lobby lists its game

	Request  []byte               // for the list
	Session  []byte               // of a connection after which only "Two" is listed; nil if there is none
	Silences []Silence            // of peers that complete no request
	Limits   lobbywire.ConnLimits // the defaults
	Golden   []string             // folders of codecs, with golden files

	// Conns returns the counts of connections. It is nil if the lobby treats connections beyond
	// its limits in its own way.
	Conns func(s StreamServer) lobbywire.ConnStats

	// Nodes returns a function that returns nodes with a common Store.
	Nodes func() (node func(s LobbySettings) StreamServer)

	Unheard lobbywire.Standing // of a host at a lobby that never answers
	Tells   bool               // the lobby tells a host why its game is not listed

	Port        uint16 // of all games, if the protocol carries none; 0 means that it carries one
	NoAddresses bool   // the list contains none
	Outlives    bool   // games outlive the connections of their hosts
	Checks      bool   // the lobby checks games, which accept connections
}

// A StreamServer is a server over TCP.
type StreamServer interface {
	Serve(ln net.Listener) error
	SetLimits(limits lobbywire.ConnLimits)
	Shutdown(ctx context.Context) error
	Close() error
}

// A Host keeps a game in the list of a lobby over TCP. A host that answers checks itself also
// has the method ServeAlive.
type Host interface {
	Registrant
	SetView(v lobbywire.View) (changed []string)
	ListensAt(addr net.Addr)
	Close() error
}

// A Dial connects.
type Dial = func(ctx context.Context, network, addr string) (net.Conn, error)

// LobbySettings are settings of a lobby. A Max of 0 means the defaults.
type LobbySettings struct {
	NoVerify bool
	Dial     Dial
	Limits   lobbywire.ConnLimits
	Max      int // games: in total, of an address, of a prefix and in a list
	Admit    func(name string) bool
	Public   func(game netip.AddrPort) netip.AddrPort
	Refused  func(r lobbywire.Refusal)
}

// HostSettings are settings of a host.
type HostSettings struct {
	Lobby   string
	NoIPv6  bool
	Port    uint16 // of the game
	Dial    Dial
	Every   time.Duration
	Changed func(lobbywire.RegistrationStatus)
	Logger  *slog.Logger
}

// A Silence is a peer that sends some bytes at once, then more at one byte each second, and
// then nothing.
type Silence struct {
	Name       string
	Sent, More string
	After      time.Duration // when the lobby ends the connection; 0 means that it does not
}

// Addresses of the laws over TCP.
var (
	lobbyAt  = netip.MustParseAddrPort("192.0.2.1:9990")
	secondAt = netip.MustParseAddrPort("192.0.2.2:9990")
	hostAt   = netip.MustParseAddr("198.51.100.7")
	clientAt = netip.MustParseAddr("203.0.113.77")
)

const (
	soon = 10 * time.Second // until what a host sets is listed

	// A game that stops answering is withheld after withholdTime, and listed again relistTime
	// after it has answered.
	withholdTime = 7 * time.Minute
	relistTime   = 90 * time.Second
)

// later is a time after which a lobby has heard from its hosts often.
var later = suite.Pick(20*time.Minute, time.Hour)

// Test runs the laws.
func (l Lobby) Test(t *testing.T) {
	for _, law := range []struct {
		name string
		test func(n *lobbyNet)
	}{
		{"host: misuse", (*lobbyNet).hostIsMisused},
		{"host: name of the lobby", (*lobbyNet).hostWaitsForTheName},
		{"host: end", (*lobbyNet).hostEnds},
		{"host: unreachable lobby", (*lobbyNet).hostEndsAtOnce},
		{"host: status", (*lobbyNet).hostSaysHowItStands},
		{"host: restart", (*lobbyNet).hostReturns},
		{"host: any answer", (*lobbyNet).hostTakesAnything},
		{"host: any view", (*lobbyNet).hostSendsAnyView},
		{"client: no lobby", (*lobbyNet).clientHasNoLobby},
		{"client: context", (*lobbyNet).clientEndsWithItsContext},
		{"client: slow list", (*lobbyNet).clientMeasuresTheList},
		{"client: any answer", (*lobbyNet).clientTakesAnything},
		{"list", (*lobbyNet).listsGames},
		{"public addresses", (*lobbyNet).listsPublicAddresses},
		{"withheld", (*lobbyNet).withholdsGames},
		{"negative limits", (*lobbyNet).takesNegativeLimits},
		{"nodes", (*lobbyNet).sharesTheList},
		{"pieces", (*lobbyNet).readsPieces},
		{"connections", (*lobbyNet).limitsConnections},
		{"silence", (*lobbyNet).endsSilence},
		{"peer that never reads", (*lobbyNet).endsPeersThatNeverRead},
		{"anything", (*lobbyNet).survivesAnything},
		{"hours", (*lobbyNet).forgets},
		{"shutdown", (*lobbyNet).shutsDown},
	} {
		t.Run(law.name, func(t *testing.T) { l.bubble(t, law.test) })
	}
	t.Run("host: listener", l.hostCallsFromItsListener)
	t.Run("sockets", l.usesSockets)
	if l.Checks {
		l.TestChecks(t)
	}
}

// A lobbyNet is a network in a bubble, for a lobby with its hosts and clients.
type lobbyNet struct {
	Lobby
	t       *testing.T
	network *nettest.Streams
	dials   atomic.Int32 // of hosts
}

func (l Lobby) bubble(t *testing.T, test func(n *lobbyNet)) {
	synctest.Test(t, func(t *testing.T) { test(&lobbyNet{Lobby: l, t: t, network: new(nettest.Streams)}) })
}

func (n *lobbyNet) fatalIf(err error) {
	n.t.Helper()
	if err != nil {
		n.t.Fatal(err)
	}
}

// start serves a lobby, which checks no game, until the test ends.
func (n *lobbyNet) start(s LobbySettings) StreamServer {
	n.t.Helper()
	s.NoVerify = true
	return n.serve(n.New(s), lobbyAt)
}

// serve serves until the test ends.
func (n *lobbyNet) serve(s StreamServer, at netip.AddrPort) StreamServer {
	n.t.Helper()
	ln, err := n.network.Listen(at)
	n.fatalIf(err)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ln) }()
	n.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			n.t.Errorf("Close: %v", err)
		}
		if err := <-ended; !errors.Is(err, lobbywire.ErrClosed) {
			n.t.Errorf("Serve returned %v", err)
		}
	})
	return s
}

// settings returns the settings of a host that connects from an address to lobbyAt.
func (n *lobbyNet) settings(from netip.Addr) HostSettings {
	dial := n.network.DialFrom(from)
	is6 := from.Unmap().Is6()
	return HostSettings{
		Lobby: n.Scheme + lobbyAt.String(), NoIPv6: !is6, Port: n.gamePort(),
		Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			if network == "tcp4" && is6 || network == "tcp6" && !is6 {
				return nil, net.UnknownNetworkError(network)
			}
			n.dials.Add(1)
			return dial(ctx, network, addr)
		},
	}
}

// gamePort returns the port of games.
func (l Lobby) gamePort() uint16 { return cmp.Or(l.Port, 2105) }

// view describes a game of a host at an address.
func (l Lobby) view(name string, from netip.Addr) lobbywire.View {
	return lobbywire.View{Name: name, Map: "Rush", Host: from.Unmap().String(), Port: l.gamePort(), Max: new(4),
		Players: new(1)}
}

// host returns a host of a game, which runs until the test ends.
func (n *lobbyNet) host(name string, from netip.Addr) Host {
	h := n.Host(n.settings(from))
	h.SetView(n.view(name, from))
	n.run(h)
	return h
}

// run runs a host until the test ends.
func (n *lobbyNet) run(h Host) {
	ended := make(chan error, 1)
	go func() { ended <- h.Run(n.t.Context()) }()
	n.t.Cleanup(func() {
		h.Close()
		if err := <-ended; err != lobbywire.ErrClosed && err != context.Canceled {
			n.t.Errorf("Run returned %v", err)
		}
	})
}

// hosts runs hosts of games that make a long list, each in a prefix of its own.
func (n *lobbyNet) hosts(count int) {
	for i := range count {
		n.host(fmt.Sprint("Game ", i), server(i).Addr())
	}
	time.Sleep(soon)
}

// list returns the list of the lobby at an address.
func (n *lobbyNet) list(at netip.AddrPort) []lobbywire.Listed {
	n.t.Helper()
	synctest.Wait()
	c := n.Client(n.network.DialFrom(clientAt))
	r := c.ListViews(n.t.Context(), n.Scheme+at.String())
	if r.Err != nil || r.Partial {
		n.t.Fatalf("the list is partial: %v, %v", r.Partial, r.Err)
	}
	return r.Servers
}

// want checks the names of the games that the lobby at lobbyAt lists.
func (n *lobbyNet) want(when string, names ...string) {
	n.t.Helper()
	n.wantAt(lobbyAt, when, names...)
}

func (n *lobbyNet) wantAt(at netip.AddrPort, when string, names ...string) {
	n.t.Helper()
	var got []string
	for _, s := range n.list(at) {
		got = append(got, s.View.Name)
	}
	slices.Sort(got)
	slices.Sort(names)
	if !slices.Equal(got, names) {
		n.t.Errorf("%s: %q are listed, want %q", when, got, names)
	}
}

// connect connects to the lobby.
func (n *lobbyNet) connect(from netip.Addr) net.Conn {
	n.t.Helper()
	c, err := n.network.DialFrom(from)(n.t.Context(), "tcp", lobbyAt.String())
	n.fatalIf(err)
	n.t.Cleanup(func() { c.Close() })
	return c
}

// rest reads until the connection ends or nothing more arrives.
func rest(c net.Conn) (b []byte, ended bool) {
	buf := make([]byte, 64<<10)
	for {
		c.SetReadDeadline(time.Now().Add(time.Second))
		n, err := c.Read(buf)
		b = append(b, buf[:n]...)
		if err != nil {
			return b, errors.Is(err, io.EOF)
		}
	}
}
