package bombermannet_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

var managementAddr = netip.MustParseAddrPort("192.0.2.1:51963")

// start serves on a network in memory until the test ends.
func start(t testing.TB, m *bombermannet.ManagementServer) *nettest.Streams {
	t.Helper()
	network := new(nettest.Streams)
	startOn(t, m, network, managementAddr)
	return network
}

func startOn(t testing.TB, m *bombermannet.ManagementServer, network *nettest.Streams, addr netip.AddrPort) {
	t.Helper()
	l, err := network.Listen(addr)
	if err != nil {
		t.Fatal(err)
	}
	serve(t, m, l)
}

// serve serves on l until the test ends.
func serve(t testing.TB, m *bombermannet.ManagementServer, l net.Listener) {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- m.Serve(l) }()
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != lobbywire.ErrClosed {
			t.Errorf("Serve: %v", err)
		}
	})
}

// A line is a connection that a test controls.
type line struct {
	net.Conn
	t   testing.TB
	buf []byte
}

// connect returns a connection to the management server.
func connect(t testing.TB, network *nettest.Streams) *line {
	return connectFrom(t, network, "198.51.100.1")
}

func connectFrom(t testing.TB, network *nettest.Streams, from string) *line {
	t.Helper()
	c, err := network.DialFrom(netip.MustParseAddr(from))(t.Context(), "tcp", managementAddr.String())
	if err != nil {
		t.Fatal(err)
	}
	return newLine(t, c)
}

func newLine(t testing.TB, c net.Conn) *line {
	t.Cleanup(func() { c.Close() })
	return &line{Conn: c, t: t}
}

// raw sends text without a frame.
func (l *line) raw(text string) {
	l.t.Helper()
	if _, err := io.WriteString(l, text); err != nil {
		l.t.Fatalf("write: %v", err)
	}
}

// send sends JSON objects in frames.
func (l *line) send(objects ...string) {
	l.t.Helper()
	for _, o := range objects {
		l.raw(frame(o))
	}
}

func frame(object string) string { return fmt.Sprintf("%d%s\n", len(object)+1, object) }

// payload reads the next frame.
func (l *line) payload() ([]byte, error) {
	for {
		payload, rest, err := (&bomberman.Framer{Options: bomberman.Options{Strict: true}}).Next(l.buf)
		if err == nil {
			l.buf = rest
			return payload, nil
		}
		if !errors.Is(err, lobbywire.ErrTruncated) {
			return nil, err
		}
		if err := l.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
			return nil, err
		}
		chunk := make([]byte, 1<<16)
		n, err := l.Read(chunk)
		if err != nil {
			return nil, err
		}
		l.buf = append(l.buf, chunk[:n]...)
	}
}

// list fetches the list and returns it by name.
func (l *line) list() []bomberman.Server {
	l.t.Helper()
	l.send(query)
	return l.answer()
}

// answer reads a list.
func (l *line) answer() []bomberman.Server {
	l.t.Helper()
	payload, err := l.payload()
	if err != nil {
		l.t.Fatalf("no list: %v", err)
	}
	m, err := bomberman.Options{Strict: true}.ParseQueryGameServersResponse(payload)
	if err != nil {
		l.t.Fatalf("%v in %q", err, payload)
	}
	slices.SortFunc(m.Servers, func(a, b bomberman.Server) int { return strings.Compare(a.Name, b.Name) })
	return m.Servers
}

// expectList checks what is listed, in any order.
func (l *line) expectList(want ...bomberman.Server) {
	l.t.Helper()
	slices.SortFunc(want, func(a, b bomberman.Server) int { return strings.Compare(a.Name, b.Name) })
	if diff := cmp.Diff(append([]bomberman.Server{}, want...), l.list()); diff != "" {
		l.t.Errorf("list (-want +got):\n%s", diff)
	}
}

// expectEnd checks that the server ends the connection without sending anything.
func (l *line) expectEnd() {
	l.t.Helper()
	if payload, err := l.payload(); err == nil || l.isTimeout(err) {
		l.t.Errorf("got %q, %v; want an end", payload, err)
	}
}

func (l *line) isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// Messages without content, and some that game servers send.
const (
	query      = `{"command":"msQueryGameServers"}`
	unregister = `{"command":"msUnregisterGameServer"}`
)

func register(name string, port int) string {
	return fmt.Sprintf(`{"command":"msRegisterGameServer","content":{"serverName":%q,"serverAddress":"192.0.2.7",`+
		`"serverPort":%d}}`, name, port)
}

func update(current, most int, open bool, mode int) string {
	return fmt.Sprintf(`{"command":"msUpdateGameServerStats","content":{"players":{"current":%d,"max":%d},`+
		`"isLobbyOpen":%t,"gameplayMode":%d}}`,
		current, most, open, mode)
}

// listed returns the entry of a game server after register and update.
func listed(name string, port, current, most int, open bool, mode int) bomberman.Server {
	return bomberman.Server{
		Name: name, Address: "192.0.2.7", Port: port,
		Players:      bomberman.PlayerCount{Current: current, Max: most},
		IsLobbyOpen:  open,
		GameplayMode: bomberman.GameplayMode(mode),
	}
}
