package warzonenet

import (
	"encoding"
	"io"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A lobbyNet is a network with a Lobby in it.
type lobbyNet struct {
	t       testing.TB
	network *nettest.Streams
	games   *warzonegames.Games
}

var lobbyAddr = netip.MustParseAddrPort("192.0.2.1:9990")

// startLobby serves until the test ends.
func startLobby(t testing.TB, l *Lobby) *lobbyNet {
	t.Helper()
	n := &lobbyNet{t: t, network: new(nettest.Streams), games: l.Games}
	if n.games == nil {
		n.games = new(warzonegames.Games)
		l.Games = n.games
	}
	if l.Dial == nil {
		l.Dial = n.network.DialFrom(lobbyAddr.Addr())
	}
	listener, err := n.network.Listen(lobbyAddr)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- l.Serve(listener) }()
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != lobbywire.ErrClosed {
			t.Errorf("Serve returned %v", err)
		}
	})
	return n
}

// connect connects to the lobby from an address.
func (n *lobbyNet) connect(from string) *lobbyPeer {
	n.t.Helper()
	c, err := n.network.DialFrom(netip.MustParseAddr(from))(n.t.Context(), "tcp", lobbyAddr.String())
	if err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() { c.Close() })
	return &lobbyPeer{n.t, c}
}

// listen answers connections to an address.
func (n *lobbyNet) listen(addr string, answer func(c net.Conn)) *nettest.Listener {
	n.t.Helper()
	l, err := n.network.Listen(netip.MustParseAddrPort(addr))
	if err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				answer(c)
			}()
		}
	}()
	return l
}

// alive answers a lobby as the game with an id does.
func alive(id *uint32) func(c net.Conn) {
	return func(c net.Conn) {
		var req [8]byte
		if _, err := io.ReadFull(c, req[:]); err != nil || req != [8]byte{} {
			return
		}
		b, _ := warzone.AliveReply{Version: warzone.AliveVersion, GameID: *id}.AppendBinary(nil)
		c.Write(b)
	}
}

// list returns the list of the lobby, and its bytes.
func (n *lobbyNet) list() (warzone.ListReply, []byte) {
	n.t.Helper()
	c := n.connect("203.0.113.9")
	c.send(warzone.ListRequest{})
	b := c.rest()
	m, err := warzone.ParseListReply(b)
	if err != nil {
		n.t.Fatal(err)
	}
	return m, b
}

// names returns the names of the listed games, in the order of the list.
func (n *lobbyNet) names() []string {
	n.t.Helper()
	m, _ := n.list()
	var names []string
	for _, g := range m.Games {
		names = append(names, g.Name)
	}
	return names
}

// A lobbyPeer is a client's or host's end of a connection to a Lobby.
type lobbyPeer struct {
	t testing.TB
	net.Conn
}

func (p *lobbyPeer) send(messages ...encoding.BinaryAppender) {
	p.t.Helper()
	var all []byte
	for _, m := range messages {
		b, err := m.AppendBinary(nil)
		if err != nil {
			p.t.Fatal(err)
		}
		all = append(all, b...)
	}
	if _, err := p.Write(all); err != nil {
		p.t.Fatal(err)
	}
}

func (p *lobbyPeer) read(n int) []byte {
	p.t.Helper()
	b := make([]byte, n)
	if _, err := io.ReadFull(p, b); err != nil {
		p.t.Fatal(err)
	}
	return b
}

// id requests an ID and returns it.
func (p *lobbyPeer) id() uint32 {
	p.t.Helper()
	p.send(warzone.GameIDRequest{})
	m, err := warzone.ParseGameIDReply(p.read(4))
	if err != nil {
		p.t.Fatal(err)
	}
	return m.GameID
}

// wantStatus reads a status.
func (p *lobbyPeer) wantStatus(code warzone.StatusCode) {
	p.t.Helper()
	head := p.read(8)
	text := p.read(int(head[6])<<8 | int(head[7]))
	m, err := warzone.ParseStatus(append(head, text...))
	if err != nil {
		p.t.Fatal(err)
	}
	if m.Code != code || m.Text == "" {
		p.t.Errorf("status %v %q, want %v and a text", m.Code, m.Text, code)
	}
}

// wantSilence fails if a byte arrives or the connection ends within a time.
func (p *lobbyPeer) wantSilence(d time.Duration) {
	p.t.Helper()
	p.SetReadDeadline(time.Now().Add(d))
	defer p.SetReadDeadline(time.Time{})
	var b [1]byte
	if n, err := p.Read(b[:]); n > 0 || err == io.EOF {
		p.t.Errorf("read %d bytes, %v", n, err)
	}
}

// rest returns the bytes until the lobby closes the connection.
func (p *lobbyPeer) rest() []byte {
	p.t.Helper()
	b, err := io.ReadAll(p)
	if err != nil {
		p.t.Error(err)
	}
	return b
}

// wantEnd fails if there is a byte before the end.
func (p *lobbyPeer) wantEnd() {
	p.t.Helper()
	if b := p.rest(); len(b) > 0 {
		p.t.Errorf("got % x before the end", b)
	}
}
