package warzonenet

import (
	"context"
	"encoding"
	"io"
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/nettest"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A protocol is one of those that lobbies speak.
type protocol struct {
	source warzonegames.Source
	addr   netip.AddrPort
	serve  func(g *warzonegames.Games, l lobbywire.ConnLimits) server

	// In bytes, but of the deployed protocol:
	list   encoding.BinaryMarshaler
	open   func(port uint16, name string) encoding.BinaryMarshaler
	opened func(b []byte) bool // reports whether an answer is a success
	failed func(b []byte) bool // reports whether an answer is an Error

	// By a client:
	host  func(t testing.TB, dial dialFunc, name string) // opens a game at port 2100
	names func(ctx context.Context, dial dialFunc) ([]string, error)
}

type dialFunc = func(ctx context.Context, network, addr string) (net.Conn, error)

// A server is any of the lobbies.
type server interface {
	Serve(ln net.Listener) error
	Shutdown(ctx context.Context) error
	Close() error
}

var (
	textAddr   = netip.MustParseAddrPort("192.0.2.1:9991")
	binaryAddr = netip.MustParseAddrPort("192.0.2.1:9992")
	jsonAddr   = netip.MustParseAddrPort("192.0.2.1:9993")
)

// protocols returns all four.
func protocols() []protocol { return append(proposals(), deployed()) }

// proposals returns the three proposals.
func proposals() []protocol {
	return []protocol{
		proposal(warzonegames.SourceText, textAddr, wzproposal.Text),
		proposal(warzonegames.SourceBinary, binaryAddr, wzproposal.Binary),
		{
			source: warzonegames.SourceJSON,
			addr:   jsonAddr,
			serve:  func(g *warzonegames.Games, l lobbywire.ConnLimits) server { return &JSONLobby{Games: g, Limits: l} },
			list:   wzjson.List{},
			open: func(_ uint16, name string) encoding.BinaryMarshaler {
				return wzjson.Add{Name: name, Map: "Rush", Tech: wzjson.TechT1, MaxPlayers: 4}
			},
			opened: func(b []byte) bool { _, err := wzjson.ParseAddAck(b); return err == nil },
			failed: func(b []byte) bool { _, err := wzjson.ParseError(b); return err == nil },
			host: func(t testing.TB, dial dialFunc, name string) {
				c := JSONClient{Dial: dial}
				_, err := c.Add(t.Context(), jsonAddr.String(), wzjson.Add{Name: name, Map: "Rush", Tech: wzjson.TechT1, MaxPlayers: 4})
				fatalIf(t, err)
			},
			names: func(ctx context.Context, dial dialFunc) (names []string, err error) {
				c := JSONClient{Dial: dial, ListEvery: -1}
				l, err := c.List(ctx, jsonAddr.String())
				for _, g := range l.Games {
					names = append(names, g.Name)
				}
				return names, err
			},
		},
	}
}

// proposal returns the text or the binary proposal.
func proposal(source warzonegames.Source, addr netip.AddrPort, e wzproposal.Encoding) protocol {
	options := wzproposal.Options{Encoding: e}
	game := func(port uint16, name string) wzproposal.OpenGame {
		return wzproposal.OpenGame{Port: port, Name: name, Map: "Rush", MaxPlayers: 4}
	}
	return protocol{
		source: source,
		addr:   addr,
		serve: func(g *warzonegames.Games, l lobbywire.ConnLimits) server {
			return &ProposalLobby{Encoding: e, Games: g, Limits: l}
		},
		list:   encoded{e, wzproposal.List{}},
		open:   func(port uint16, name string) encoding.BinaryMarshaler { return encoded{e, game(port, name)} },
		opened: func(b []byte) bool { _, err := options.ParseDone(b); return err == nil },
		failed: func(b []byte) bool { _, err := options.ParseError(b); return err == nil },
		host: func(t testing.TB, dial dialFunc, name string) {
			c := ProposalClient{Encoding: e, Dial: dial}
			fatalIf(t, c.OpenGame(t.Context(), addr.String(), game(2100, name)))
		},
		names: func(ctx context.Context, dial dialFunc) (names []string, err error) {
			c := ProposalClient{Encoding: e, Dial: dial, ListEvery: -1}
			l, err := c.List(ctx, addr.String())
			for _, g := range l.Games {
				names = append(names, g.Name)
			}
			return names, err
		},
	}
}

// encoded is a message in an encoding.
type encoded struct {
	wzproposal.Encoding
	wzproposal.Message
}

func (m encoded) MarshalBinary() ([]byte, error) { return m.Append(nil, m.Message) }

// deployed returns the protocol of the game.
func deployed() protocol {
	return protocol{
		source: warzonegames.SourceLobby,
		addr:   scriptedAddr,
		serve: func(g *warzonegames.Games, l lobbywire.ConnLimits) server {
			return &Lobby{Games: g, Limits: l, NoVerify: true}
		},
		host: func(t testing.TB, dial dialFunc, name string) {
			c, err := dial(t.Context(), "tcp", scriptedAddr.String())
			fatalIf(t, err)
			t.Cleanup(func() { c.Close() })
			b, err := warzone.AddGame{Game: gamestest.Named(name)}.MarshalBinary()
			fatalIf(t, err)
			_, err = c.Write(b)
			fatalIf(t, err)
			_, err = io.ReadFull(c, make([]byte, 10)) // a status and "OK"
			fatalIf(t, err)
		},
		names: func(ctx context.Context, dial dialFunc) (names []string, err error) {
			c := Client{Dial: dial, ListEvery: -1}
			l, err := c.List(ctx, scriptedAddr.String())
			for _, g := range l.Games {
				names = append(names, g.Name)
			}
			return names, err
		},
	}
}

func fatalIf(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A protocolsNet is a network with lobbies that share their games.
type protocolsNet struct {
	t       testing.TB
	network *nettest.Streams
	games   *warzonegames.Games
}

func newProtocolsNet(t testing.TB) *protocolsNet {
	return &protocolsNet{t: t, network: new(nettest.Streams), games: new(warzonegames.Games)}
}

// serve lets a lobby serve until the test ends.
func (n *protocolsNet) serve(protocol protocol, l lobbywire.ConnLimits) server {
	n.t.Helper()
	return n.start(protocol.serve(n.games, l), protocol.addr)
}

func (n *protocolsNet) start(s server, addr netip.AddrPort) server {
	n.t.Helper()
	ln, err := n.network.Listen(addr)
	fatalIf(n.t, err)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ln) }()
	n.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			n.t.Error(err)
		}
		if err := <-ended; err != lobbywire.ErrClosed {
			n.t.Errorf("Serve returned %v", err)
		}
	})
	return s
}

// from returns a function that connects from an address.
func (n *protocolsNet) from(addr string) dialFunc {
	return n.network.DialFrom(netip.MustParseAddr(addr))
}

// connect connects from an address to a lobby.
func (n *protocolsNet) connect(from string, to netip.AddrPort) *peer {
	n.t.Helper()
	c, err := n.from(from)(n.t.Context(), "tcp", to.String())
	fatalIf(n.t, err)
	n.t.Cleanup(func() { c.Close() })
	return &peer{n.t, c}
}

// wantNames compares what a lobby lists.
func (n *protocolsNet) wantNames(protocol protocol, want ...string) {
	n.t.Helper()
	got, err := protocol.names(n.t.Context(), n.from("203.0.113.77"))
	if err != nil || !slices.Equal(got, want) {
		n.t.Errorf("through %v: %q, %v, want %q", protocol.source, got, err, want)
	}
}

// A peer is the other end of a connection to a lobby.
type peer struct {
	t testing.TB
	net.Conn
}

func (c *peer) send(m encoding.BinaryMarshaler) {
	c.t.Helper()
	b, err := m.MarshalBinary()
	fatalIf(c.t, err)
	_, err = c.Write(b)
	fatalIf(c.t, err)
}

// answer returns the bytes that arrive at once.
func (c *peer) answer() []byte {
	c.t.Helper()
	b := make([]byte, 128<<10)
	c.SetReadDeadline(time.Now().Add(time.Minute))
	n, err := c.Read(b)
	fatalIf(c.t, err)
	return b[:n]
}

// end returns the bytes until the end of the connection, and fails without that.
func (c *peer) end() []byte {
	c.t.Helper()
	b, err := io.ReadAll(c)
	fatalIf(c.t, err)
	return b
}
