package laws

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// answerTime is how long a client waits for a lobby to connect, and in each pause.
const answerTime = 5 * time.Second

// A client reports refused connections as such, and a lobby that accepts no connection as a
// timeout.
func (n *lobbyNet) clientHasNoLobby() {
	r := n.Client(n.network.DialFrom(clientAt)).ListViews(n.t.Context(), n.Scheme+lobbyAt.String())
	if !errors.Is(r.Err, syscall.ECONNREFUSED) {
		n.t.Errorf("refused: %v", r.Err)
	}
	start := time.Now()
	r = n.Client(func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}).ListViews(n.t.Context(), n.Scheme+lobbyAt.String())
	if took := time.Since(start); r.Err != lobbywire.ErrTimeout || took != answerTime {
		n.t.Errorf("no connection: %v after %v", r.Err, took)
	}
}

// answer gives each connection to lobbyAt, after a request, to f, until the test ends.
func (n *lobbyNet) answer(f func(c net.Conn)) {
	n.t.Helper()
	ln, err := n.network.Listen(lobbyAt)
	n.fatalIf(err)
	var answering sync.WaitGroup
	answering.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			answering.Go(func() {
				defer c.Close()
				if _, err := c.Read(make([]byte, 4<<10)); err == nil {
					f(c)
				}
			})
		}
	})
	n.t.Cleanup(func() {
		ln.Close()
		answering.Wait()
	})
}

// The end of its context ends a request and its connection at once, with the cause.
func (n *lobbyNet) clientEndsWithItsContext() {
	ended := make(chan struct{})
	n.answer(func(c net.Conn) {
		io.Copy(io.Discard, c)
		close(ended)
	})
	why := errors.New("why")
	ctx, cancel := context.WithCancelCause(n.t.Context())
	time.AfterFunc(time.Second, func() { cancel(why) })
	start := time.Now()
	r := n.Client(n.network.DialFrom(clientAt)).ListViews(ctx, n.Scheme+lobbyAt.String())
	<-ended
	if took := time.Since(start); r.Err != why || took != time.Second {
		n.t.Errorf("%v after %v", r.Err, took)
	}
}

// A slowConn reads 64 bytes each 100 ms.
type slowConn struct{ net.Conn }

func (c slowConn) Read(b []byte) (int, error) {
	time.Sleep(100 * time.Millisecond)
	return c.Conn.Read(b[:min(len(b), 64)])
}

// The RTT of a list lasts until its end.
func (n *lobbyNet) clientMeasuresTheList() {
	n.start(LobbySettings{})
	n.hosts(10)
	c := n.Client(func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := n.network.DialFrom(clientAt)(ctx, network, addr)
		return slowConn{conn}, err
	})
	began := time.Now()
	r := c.ListViews(n.t.Context(), n.Scheme+lobbyAt.String())
	if took := time.Since(began); len(r.Servers) != 10 || r.RTT < 500*time.Millisecond || r.RTT > took {
		n.t.Errorf("%d games, %v, the RTT is %v of %v", len(r.Servers), r.Err, r.RTT, took)
	}
}

// Whatever a lobby answers, a client returns a list or an error in time.
func (n *lobbyNet) clientTakesAnything() {
	random := rand.New(rand.NewPCG(5, 6))
	answers := goldenFiles(n.t, n.Golden...)
	for range suite.Pick(100, 500) {
		answers = append(answers, mutated(random, answers))
	}
	var current atomic.Int64
	n.answer(func(c net.Conn) {
		i := current.Load()
		c.Write(append([]byte(n.Head), answers[i/2]...))
		if i%2 == 0 {
			io.Copy(io.Discard, c)
		}
	})
	c := n.Client(n.network.DialFrom(clientAt))
	lists := 0
	for i := range 2 * len(answers) {
		current.Store(int64(i))
		start := time.Now()
		r := c.ListViews(n.t.Context(), n.Scheme+lobbyAt.String())
		if took := time.Since(start); took > 2*answerTime || r.Err != nil && len(r.Servers) > 0 && !r.Partial {
			n.t.Errorf("%x: %d servers, %v after %v", answers[i/2], len(r.Servers), r.Err, took)
		}
		if r.Err == nil {
			lists++
		}
	}
	if lists == 0 || lists == 2*len(answers) {
		n.t.Errorf("%d of %d answers are lists", lists, 2*len(answers))
	}
}

// mutated returns a message of the corpus, cut, changed or joined with another, or random bytes.
func mutated(random *rand.Rand, corpus [][]byte) []byte {
	b := corpus[random.IntN(len(corpus))]
	switch random.IntN(4) {
	case 0:
		return b[:random.IntN(len(b)+1)]
	case 1:
		return append(b[:len(b):len(b)], corpus[random.IntN(len(corpus))]...)
	case 2:
		changed := append([]byte{0}, b...)[1:]
		if len(changed) > 0 {
			changed[random.IntN(len(changed))] = byte(random.Uint32())
		}
		return changed
	}
	b = make([]byte, 1+random.IntN(200))
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}
