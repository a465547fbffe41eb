package proposalnet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A wireForm is a proposal in bytes, which its codec makes.
type wireForm struct {
	Proposal
	addr netip.AddrPort // of its lobby
	life time.Duration  // of a game

	// What hosts and clients send:
	list    raw
	open    func(port uint16, name string) raw
	bad     []string          // whole commands that are not valid
	endless map[string][]byte // without a command in them
	start   raw               // of a command

	// What lobbies send:
	opened  raw // or an id
	failure func(text string) raw
	games   func(n int) raw
	unknown raw
	tooLong [2]raw // starts of lists

	isOpened, isFailure func(b []byte) bool
}

// raw is a message in its wire form.
type raw []byte

// rawOf returns the wire form of a message, nil if it has none.
func rawOf(b []byte, _ error) raw { return b }

// encoded returns a message of the text or the binary proposal.
func encoded(e wzproposal.Encoding, m wzproposal.Message) raw { return rawOf(e.Append(nil, m)) }

func wireForms() []wireForm {
	text, binary := ofEncoding(Text, wzproposal.Text), ofEncoding(Binary, wzproposal.Binary)
	text.bad = []string{
		"\n", "OPENGAME\n", "OPENGAME\t0\tname\tmap\t4\n", "OPENGAME\t2100\tname\tmap\t99999999999999999999999\n",
		"OPENGAME\t2100\t\tmap\t4\n", "DONE\n", "\x1b[2J\x00\xff\n", "CLOSEGAME\t-1\n", "STARTGAME\t7\n",
		"LIST\t*\t*\n",
	}
	text.endless = map[string][]byte{
		"a long line":    bytes.Repeat([]byte("OPENGAME\t1"), 1000),
		"endless digits": append([]byte("OPENGAME\t"), bytes.Repeat([]byte("9"), 10_000)...),
		"no text":        bytes.Repeat([]byte{0}, 10_000),
	}
	text.start = raw("LIST")
	text.unknown = raw("SORRY\n")
	text.tooLong = [2]raw{raw("COUNT\t1024\n"), bytes.Repeat(raw("COUNT\t1"), 1000)}
	binary.bad = []string{
		"\x02\x00", "\x00\x00", "\x07\x00", "\x02\x01\xff", "\x03\x02\x010", "\x04\x03\x0299", "\xff\x03abc",
		"\x01\x04\x01*\x01*", "\x02\x0c\x042100\x00\x03map\x014",
	}
	binary.start = raw{1, 255}
	binary.unknown = raw("\x63\x00")
	binary.tooLong = [2]raw{raw("\x05\x05\x041024"), raw("\x05\x0b\x0a4294967295")}
	return []wireForm{text, binary, ofJSON()}
}

// ofEncoding returns what the text and the binary proposal have in common.
func ofEncoding(p Proposal, e wzproposal.Encoding) wireForm {
	options := wzproposal.Options{Encoding: e}
	return wireForm{
		Proposal: p,
		addr:     netip.AddrPortFrom(netip.MustParseAddr("192.0.2.1"), 9991+uint16(p)),
		life:     10 * time.Minute,
		list:     encoded(e, wzproposal.List{}),
		open: func(port uint16, name string) raw {
			return encoded(e, wzproposal.OpenGame{Port: port, Name: name, Map: "Rush", MaxPlayers: 4})
		},
		opened:  encoded(e, wzproposal.Done{}),
		failure: func(text string) raw { return encoded(e, wzproposal.Error{Text: text}) },
		games: func(n int) raw {
			g := wzproposal.Game{IP: scriptedAddr.Addr(), Port: 2100, Name: "A game", Status: wzproposal.StatusOpen}
			return encoded(e, wzproposal.GameList{Games: slices.Repeat([]wzproposal.Game{g}, n)})
		},
		isOpened:  func(b []byte) bool { _, err := options.ParseDone(b); return err == nil },
		isFailure: func(b []byte) bool { _, err := options.ParseError(b); return err == nil },
	}
}

// object returns a query of the JSON proposal with these members.
func object(members string) raw { return raw(`{"lobbyquery":{"version":1,"query":{` + members + `}}}`) }

func ofJSON() wireForm {
	return wireForm{
		Proposal: JSON,
		addr:     netip.MustParseAddrPort("192.0.2.1:9993"),
		life:     2 * time.Minute,
		list:     object(`"command":"list"`),
		open: func(_ uint16, name string) raw {
			return object(`"command":"add","name":"` + name + `","map":"Rush","tech":"T1","players":4`)
		},
		bad: []string{
			"{}", `{"lobbyquery":{"version":2,"query":{"command":"list"}}}`, `{"lobbyquery":7}`,
			string(object(`"command":"list","filter":[{}` + strings.Repeat(",{}", maxFilter) + `]`)),
			string(object(`"command":"add"`)),
			string(object(`"command":"add","name":"a","players":-1`)),
			string(object(`"command":"\u001b[2J"`)),
			string(object(`"command":"heartbeat","id":"nobody's"`)),
			string(object(`"command":"list-ack","games":[]`)),
			string(object(`"command":"list",`)),
		},
		endless: map[string][]byte{
			"another protocol": []byte("LIST\t*\n"),
			"a line break":     []byte("{\"lobbyquery\n"),
			"a long message":   append([]byte(`{"lobbyquery":"`), bytes.Repeat([]byte("9"), 10_000)...),
			"white space":      bytes.Repeat([]byte(" "), 10_000),
			"depth":            bytes.Repeat([]byte(`{"a":`), 10_000),
		},
		start:   raw(`{"lobby`),
		opened:  object(`"command":"add-ack","id":"secret"`),
		failure: func(text string) raw { return rawOf(wzjson.Error{Message: text}.AppendBinary(nil)) },
		games: func(n int) raw {
			return rawOf(wzjson.ListAck{Games: slices.Repeat([]wzjson.Game{{Name: "A game"}}, n)}.AppendBinary(nil))
		},
		unknown:   object(`"command":"sorry"`),
		tooLong:   [2]raw{bytes.Repeat(raw(`{"lobbyquery":`), 10_000), bytes.Repeat(raw(" "), 100_000)},
		isOpened:  func(b []byte) bool { _, err := wzjson.ParseAddAck(b); return err == nil },
		isFailure: func(b []byte) bool { _, err := wzjson.ParseError(b); return err == nil },
	}
}

type dialFunc = func(ctx context.Context, network, addr string) (net.Conn, error)

func fatalIf(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A lobbyNet is a network with lobbies that share their games.
type lobbyNet struct {
	t       testing.TB
	network *nettest.Streams
	games   *warzonegames.Games
}

func newLobbyNet(t testing.TB) *lobbyNet {
	return &lobbyNet{t: t, network: new(nettest.Streams), games: new(warzonegames.Games)}
}

// serve starts a lobby of a proposal.
func (n *lobbyNet) serve(f wireForm, limits lobbywire.ConnLimits) *Lobby {
	n.t.Helper()
	l := &Lobby{Proposal: f.Proposal, Games: n.games, Limits: limits}
	n.start(l, f.addr)
	return l
}

// A server is a lobby of any protocol.
type server interface {
	Serve(ln net.Listener) error
	Close() error
}

// start lets a lobby serve until the test ends.
func (n *lobbyNet) start(l server, addr netip.AddrPort) {
	n.t.Helper()
	if l, ok := l.(*Lobby); ok && l.Dial == nil {
		l.Dial = n.network.DialFrom(addr.Addr())
	}
	ln, err := n.network.Listen(addr)
	fatalIf(n.t, err)
	ended := make(chan error, 1)
	go func() { ended <- l.Serve(ln) }()
	n.t.Cleanup(func() {
		if err := l.Close(); err != nil {
			n.t.Error(err)
		}
		if err := <-ended; err != lobbywire.ErrClosed {
			n.t.Errorf("Serve returned %v", err)
		}
	})
}

// from returns a function that connects from an address.
func (n *lobbyNet) from(addr string) dialFunc {
	return n.network.DialFrom(netip.MustParseAddr(addr))
}

// command sends a command to a lobby.
func (n *lobbyNet) command(f wireForm, from string, c command) (answer, error) {
	n.t.Helper()
	a, _, err := (&Client{Proposal: f.Proposal, Dial: n.from(from)}).send(n.t.Context(), f.addr.String(), c)
	return a, err
}

// open opens a game at port 2100.
func (n *lobbyNet) open(f wireForm, from, name string) (id string) {
	n.t.Helper()
	game := Game{Port: 2100, Name: name, Map: "Rush", MaxPlayers: 4}
	a, err := n.command(f, from, command{verb: verbOpen, game: game})
	fatalIf(n.t, err)
	return a.id
}

// add adds a game of any source.
func (n *lobbyNet) add(key netip.AddrPort, e warzonegames.Entry) warzonegames.Entry {
	n.t.Helper()
	e.Key = key
	e, err := n.games.Add(e)
	fatalIf(n.t, err)
	return e
}

// names returns the names of the games that a lobby lists.
func (n *lobbyNet) names(f wireForm, filter ...wzjson.Fields) (names []string) {
	n.t.Helper()
	c := &Client{Proposal: f.Proposal, Dial: n.from("203.0.113.77")}
	l, err := c.List(n.t.Context(), f.addr.String(), filter...)
	fatalIf(n.t, err)
	for _, g := range l.Games {
		names = append(names, g.Name)
	}
	return names
}

func (n *lobbyNet) wantNames(f wireForm, want ...string) {
	n.t.Helper()
	if got := n.names(f); !slices.Equal(got, want) {
		n.t.Errorf("%v lists %q, want %q", f, got, want)
	}
}

func (n *lobbyNet) wantRefused(what string, err error) {
	n.t.Helper()
	if refused := (*LobbyError)(nil); !errors.As(err, &refused) || refused.Text == "" {
		n.t.Errorf("%s: %v, want it refused with a text", what, err)
	}
}

// connect connects from an address to a lobby.
func (n *lobbyNet) connect(from string, f wireForm) *peer {
	n.t.Helper()
	c, err := n.from(from)(n.t.Context(), "tcp", f.addr.String())
	fatalIf(n.t, err)
	n.t.Cleanup(func() { c.Close() })
	return &peer{n.t, c}
}

// A peer is the other end of a connection.
type peer struct {
	t testing.TB
	net.Conn
}

// ask sends bytes and returns the bytes that arrive at once.
func (p *peer) ask(b []byte) []byte {
	p.t.Helper()
	_, err := p.Write(b)
	fatalIf(p.t, err)
	return p.answer()
}

func (p *peer) answer() []byte {
	p.t.Helper()
	answer := make([]byte, 128<<10)
	p.SetReadDeadline(time.Now().Add(time.Minute))
	n, err := p.Read(answer)
	fatalIf(p.t, err)
	return answer[:n]
}

// end returns the bytes until the end of the connection, and fails without that.
func (p *peer) end() []byte {
	p.t.Helper()
	b, err := io.ReadAll(p)
	fatalIf(p.t, err)
	return b
}

// scriptedAddr is the address of a lobby whose behavior the test decides.
var scriptedAddr = netip.MustParseAddrPort("192.0.2.53:9990")

// script starts a lobby that gives each connection, after the first bytes, to f.
func (n *lobbyNet) script(f func(c net.Conn)) {
	n.t.Helper()
	ln, err := n.network.Listen(scriptedAddr)
	fatalIf(n.t, err)
	ended := make(chan struct{})
	n.t.Cleanup(func() {
		ln.Close()
		<-ended
	})
	go func() {
		defer close(ended)
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			if _, err := c.Read(make([]byte, 1<<10)); err == nil {
				f(c)
			}
			c.Close()
		}
	}()
}

// Behaviors of scripted lobbies.
func silent(c net.Conn)              { io.Copy(io.Discard, c) }
func answering(b raw) func(net.Conn) { return func(c net.Conn) { c.Write(b) } }
func keeping(b raw) func(net.Conn) {
	return func(c net.Conn) {
		c.Write(b)
		silent(c)
	}
}
