package laws

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
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

// Negative numbers of games, and a negative interval of a host, mean the defaults.
func (n *lobbyNet) takesNegativeLimits() {
	n.start(LobbySettings{Max: -1})
	s := n.settings(hostAt)
	s.Every = -1
	h := n.Host(s)
	h.SetView(n.view("Game", hostAt))
	n.run(h)
	time.Sleep(10 * time.Minute)
	n.want("with negative limits", "Game")
	if got := n.dials.Load(); got > 40 {
		n.t.Errorf("%d connections in ten minutes", got)
	}
}

// Messages may arrive in any pieces.
func (n *lobbyNet) readsPieces() {
	if n.Session == nil {
		n.t.Skip("a host cannot know beforehand what it sends")
	}
	n.start(LobbySettings{})
	whole := 0
	for _, size := range []int{1 << 20, 1, 2, 7, 100, 500} {
		c := n.connect(hostAt)
		go func() {
			for part := range slices.Chunk(n.Session, size) {
				c.Write(part)
				synctest.Wait()
			}
		}()
		answers, _ := rest(c)
		if whole == 0 {
			whole = len(answers)
		}
		if len(answers) == 0 || len(answers) != whole {
			n.t.Errorf("%d bytes at once: %q", size, answers)
		}
		n.want("at the end", "Two")
		c.Close()
		synctest.Wait() // until its games are gone
	}
}

// isOpen reports whether the lobby has not ended a connection.
func isOpen(c net.Conn) bool {
	c.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := c.Read(make([]byte, 1))
	var timeout net.Error
	return err == nil || errors.As(err, &timeout) && timeout.Timeout()
}

// The number of connections is limited in total, for an address and for a prefix. Connections
// beyond the limits are ended at once, and other sources do not notice. The limits may change.
func (n *lobbyNet) limitsConnections() {
	if n.Conns == nil {
		n.t.Skip("the lobby has laws of its own")
	}
	var open, refused int
	var conns []net.Conn
	connect := func(count int, from netip.Addr) (admitted int) {
		var all []net.Conn
		for range count {
			all = append(all, n.connect(from))
		}
		synctest.Wait()
		for _, c := range all {
			if isOpen(c) {
				admitted++
				conns = append(conns, c)
			}
		}
		open += admitted
		refused += count - admitted
		return admitted
	}
	other := func(i int) netip.Addr { return netip.AddrFrom4([4]byte{198, 51, 100, byte(100 + i)}) }
	lobby := n.start(LobbySettings{})
	check := func(limits lobbywire.ConnLimits) {
		n.t.Helper()
		if got := connect(limits.MaxPerAddress+3, hostAt); got != limits.MaxPerAddress {
			n.t.Errorf("%d connections of an address, want %d", got, limits.MaxPerAddress)
		}
		prefix := limits.MaxPerAddress
		for i := range 20 {
			prefix += connect(limits.MaxPerAddress, other(i))
		}
		if prefix != limits.MaxPerPrefix {
			n.t.Errorf("%d connections of a prefix, want %d", prefix, limits.MaxPerPrefix)
		}
		if got := n.Conns(lobby); got.Open != open || int(got.Refused) != refused {
			n.t.Errorf("stats: %+v, want %d open and %d refused", got, open, refused)
		}
		n.want("by another source")
		for _, c := range conns {
			c.Close()
		}
		conns, open = nil, 0
		synctest.Wait()
		if got := connect(1, hostAt); got != 1 {
			n.t.Error("the limit stays used up")
		}
		conns[0].Close()
		conns, open = nil, 0
		synctest.Wait()
	}
	check(n.Limits)
	limits := lobbywire.ConnLimits{MaxConns: 20, MaxPerAddress: 5, MaxPerPrefix: 10}
	lobby.SetLimits(limits)
	check(limits)
	for i := range 40 {
		connect(1, server(i).Addr())
	}
	if open != limits.MaxConns {
		n.t.Errorf("%d connections, want %d", open, limits.MaxConns)
	}
}

// noEnd is how long a connection stays open that the lobby does not end.
const noEnd = 12 * time.Hour

// A peer that completes no request is disconnected in time, whatever it sends meanwhile.
func (n *lobbyNet) endsSilence() {
	lobby := n.start(LobbySettings{})
	for _, tt := range n.Silences {
		start := time.Now()
		c := n.connect(hostAt)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			io.Copy(io.Discard, c)
		}()
		go func() {
			c.Write([]byte(tt.Sent))
			for _, b := range []byte(tt.More) {
				time.Sleep(time.Second)
				if _, err := c.Write([]byte{b}); err != nil {
					return
				}
			}
		}()
		select {
		case <-ended:
		case <-time.After(noEnd):
			c.Close()
			<-ended
		}
		if took := time.Since(start); took != tt.After && (tt.After != 0 || took != noEnd) {
			n.t.Errorf("%s: ended after %v, want %v", tt.Name, took, tt.After)
		}
		time.Sleep(time.Minute)
	}
	timedOut := 0
	for _, tt := range n.Silences {
		if tt.After > 0 {
			timedOut++
		}
	}
	if n.Conns != nil && int(n.Conns(lobby).TimedOut) != timedOut {
		n.t.Errorf("%d connections have timed out, want %d", n.Conns(lobby).TimedOut, timedOut)
	}
}

// A peer that sends requests and does not read the answers is disconnected in time. Others do
// not notice.
func (n *lobbyNet) endsPeersThatNeverRead() {
	const games = 100
	n.start(LobbySettings{})
	n.hosts(games)
	c := n.connect(clientAt)
	start := time.Now()
	var ended atomic.Int64
	go func() {
		for {
			if _, err := c.Write(n.Request); err != nil {
				ended.Store(int64(time.Since(start)))
				return
			}
		}
	}()
	for time.Since(start) < n.Limits.Write+5*time.Second {
		if got := len(n.list(lobbyAt)); got != games {
			n.t.Fatalf("another client gets %d games", got)
		}
		time.Sleep(suite.Pick(time.Second, 100*time.Millisecond))
	}
	if got := time.Duration(ended.Load()); got < n.Limits.Write*9/10 {
		n.t.Errorf("ended after %v, want %v", got, n.Limits.Write)
	}
}

// No input harms the lobby or another game: golden files, whole, cut, changed and joined, and
// random bytes.
func (n *lobbyNet) survivesAnything() {
	random := rand.New(rand.NewPCG(1, 2))
	corpus := append(goldenFiles(n.t, n.Golden...), n.Request)
	if n.Session != nil {
		corpus = append(corpus, n.Session)
	}
	lobby := n.start(LobbySettings{})
	n.host("Game", hostAt)
	time.Sleep(soon)
	send := func(b []byte) {
		c := n.connect(clientAt)
		go func() {
			c.Write(b)
			c.(interface{ CloseWrite() error }).CloseWrite()
		}()
		rest(c)
		c.Close()
	}
	for _, b := range corpus {
		send(b)
	}
	for range suite.Pick(300, 3000) {
		b := mutated(random, corpus)
		send(b)
		start := corpus[random.IntN(len(corpus))]
		send(slices.Concat(start[:random.IntN(len(start)+1)], b))
	}
	time.Sleep(soon)
	games := 0
	for _, s := range n.list(lobbyAt) {
		if s.View.Name == "Game" {
			games++
		}
		if s.View.Name != "Game" && !n.Outlives {
			n.t.Errorf("%+v is listed", s)
		}
	}
	if games != 1 {
		n.t.Errorf("the game is listed %d times", games)
	}
	synctest.Wait()
	if n.Conns != nil && n.Conns(lobby).Open > 1 {
		n.t.Errorf("%d connections are open", n.Conns(lobby).Open)
	}
}

// Games that come and go for hours, and peers that send anything, leave nothing behind.
func (n *lobbyNet) forgets() {
	random := rand.New(rand.NewPCG(3, 4))
	corpus := append(goldenFiles(n.t, n.Golden...), n.Request)
	n.start(LobbySettings{})
	peers := 0
	peer := func() netip.Addr {
		peers++
		return server(peers).Addr()
	}
	hour := func() int {
		for range 60 {
			from := peer()
			h := n.Host(n.settings(from))
			h.SetView(n.view(fmt.Sprint("Game of ", from), from))
			ended := make(chan error, 1)
			go func() { ended <- h.Run(n.t.Context()) }()
			for range suite.Pick(3, 30) {
				c, err := n.network.DialFrom(peer())(n.t.Context(), "tcp", lobbyAt.String())
				n.fatalIf(err)
				go func() {
					c.Write(mutated(random, corpus))
					c.(interface{ CloseWrite() error }).CloseWrite()
				}()
				rest(c)
				c.Close()
			}
			time.Sleep(time.Minute)
			h.Close()
			<-ended
		}
		return suite.Heap()
	}
	hour() // fills the tables
	first := hour()
	hour()
	last := hour()
	time.Sleep(time.Hour)
	n.want("an hour later")
	after := suite.Heap()
	n.t.Logf("%d KiB after two hours, %d after four with %d peers, %d after an hour without any",
		first>>10, last>>10, peers, after>>10)
	const most = 128 << 10
	if last-first > most || after-first > most {
		n.t.Errorf("it has grown by %d bytes, and by %d in the end", last-first, after-first)
	}
}

// Shutdown completes the answers to requests that have arrived, and ends other connections.
func (n *lobbyNet) shutsDown() {
	lobby := n.start(LobbySettings{})
	n.hosts(100)
	ask := func() net.Conn {
		c := n.connect(clientAt)
		_, err := c.Write(n.Request)
		n.fatalIf(err)
		return c
	}
	want, _ := rest(ask())
	idle, asked := n.connect(clientAt), ask()
	synctest.Wait()
	done := make(chan error, 1)
	go func() { done <- lobby.Shutdown(n.t.Context()) }()
	synctest.Wait()
	if got, ended := rest(asked); len(got) != len(want) || !ended {
		n.t.Errorf("%d bytes of an answer, want %d, and its end: %v", len(got), len(want), ended)
	}
	if err := <-done; err != nil {
		n.t.Errorf("Shutdown: %v", err)
	}
	if got, ended := rest(idle); len(got) > 0 || !ended {
		n.t.Errorf("an idle connection gets %q, and its end: %v", got, ended)
	}
	ln, err := n.network.Listen(secondAt)
	n.fatalIf(err)
	if err := lobby.Serve(ln); !errors.Is(err, lobbywire.ErrClosed) {
		n.t.Errorf("Serve after Shutdown returned %v", err)
	}
	if _, err := ln.Accept(); err == nil {
		n.t.Error("the listener is open")
	}
	if err := n.New(LobbySettings{}).Close(); err != nil {
		n.t.Errorf("Close of a new lobby: %v", err)
	}
}

// A lobby, a host and a client use sockets of both families, and TLS.
func (l Lobby) usesSockets(t *testing.T) {
	for _, tt := range []struct {
		name, addr string
		tls        bool
	}{
		{"IPv4", "127.0.0.1:0", false},
		{"IPv6", "[::1]:0", false},
		{"TLS", "127.0.0.1:0", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			listen := func() net.Listener {
				ln, err := net.Listen("tcp", tt.addr)
				if err != nil {
					t.Skip(err)
				}
				return ln
			}
			ln, port := listen(), listen()
			at := port.Addr().(*net.TCPAddr).AddrPort()
			s := HostSettings{Lobby: l.Scheme + ln.Addr().String(), NoIPv6: at.Addr().Is4(), Port: at.Port()}
			if tt.tls {
				config, trust := nettest.Certificate()
				ln = tls.NewListener(ln, config)
				s.Dial = (&tls.Dialer{Config: trust}).DialContext
			}
			lobby, h, c := l.New(LobbySettings{}), l.Host(s), l.Client(s.Dial)
			v := l.view("Game", at.Addr())
			v.Port = cmp.Or(l.Port, at.Port())
			h.SetView(v)
			ended := make(chan error, 2)
			go func() { ended <- lobby.Serve(ln) }()
			if alive, ok := h.(interface{ ServeAlive(net.Listener) error }); ok {
				go alive.ServeAlive(port)
			}
			go func() { ended <- h.Run(t.Context()) }()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			wait := func(games int) (r lobbywire.ListResult) {
				for r = c.ListViews(ctx, s.Lobby); r.Err == nil && len(r.Servers) != games; {
					time.Sleep(10 * time.Millisecond) // leaves the processors to the lobby
					r = c.ListViews(ctx, s.Lobby)
				}
				if r.Err != nil {
					t.Fatal(r.Err)
				}
				return r
			}
			got := wait(1).Servers[0].View
			if got.Name != "Game" || !l.NoAddresses && (got.Host != at.Addr().String() || got.Port != v.Port) {
				t.Errorf("listed %+v", got)
			}
			h.Close()
			wait(0)
			if err := lobby.Shutdown(t.Context()); err != nil {
				t.Errorf("Shutdown: %v", err)
			}
			for range 2 {
				if err := <-ended; !errors.Is(err, lobbywire.ErrClosed) {
					t.Errorf("returned %v", err)
				}
			}
			port.Close()
		})
	}
}
