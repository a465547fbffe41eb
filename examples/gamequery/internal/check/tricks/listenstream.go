package tricks

import (
	"context"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
)

// A speech is the output of a server on a connection.
type speech struct {
	pieces [][]byte // each is sent alone, after a pause
	closes bool     // the server ends the connection after them
}

// A dialect defines how a server over TCP speaks, and how it misbehaves.
type dialect struct {
	// request returns the first request of a stream and the bytes after it. It is nil
	// while it is incomplete.
	request func(stream []byte) (request, rest []byte, err error)

	// answer returns the right answer of a game, nil if there is none.
	answer func(request []byte, v lobbywire.View) []byte
	closes bool // the server ends the connection after an answer
	tricks func() []trick
}

// dialects returns the dialects of the protocols over TCP.
func dialects() map[string]dialect {
	return map[string]dialect{"bomberman": bombermanDialect(), "warzone": warzoneDialect(), "wzhttp": wzhttpDialect()}
}

// Streams returns the protocols of ServeStreams.
func Streams() []string { return slices.Sorted(maps.Keys(dialects())) }

const (
	pieceGap       = time.Millisecond // between the pieces of a speech
	connectionTime = time.Minute      // limit of a connection
	maxConnections = 64               // at the same time; others are closed
	maxRequest     = 1 << 16          // size of a request in bytes
)

// ServeStreams is Serve for protocols over TCP.
func (l Listener) ServeStreams(ctx context.Context, listener net.Listener) Result {
	ctx, cancel := context.WithCancel(ctx)
	d := dialects()[l.Protocol]
	stage := &connections{dialect: d, out: newSaid(l, traffic.Master), open: map[net.Conn]bool{}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		stage.serve(ctx, listener)
	}()
	stop := context.AfterFunc(ctx, func() {
		listener.Close()
		stage.closeAll()
	})
	defer func() {
		cancel()
		<-done
		stop()
	}()
	return l.ask(ctx, stage, d.tricks(), "Case%s", stage.out)
}

// A connections is the stage for clients over TCP.
type connections struct {
	dialect dialect
	out     *said

	mu    sync.Mutex
	trick trick
	view  lobbywire.View
	open  map[net.Conn]bool
}

func (s *connections) play(t trick, name string) {
	v := lobbywire.View{
		Name: name, Map: "Harbor", Mode: "1", Version: "4.3.3", Host: "192.0.2.7", Port: 25601,
		Players: new(3), Max: new(4),
	}
	if t.view != nil {
		t.view(&v)
	}
	s.mu.Lock()
	s.trick, s.view = t, v
	s.mu.Unlock()
	s.closeAll()
}

func (s *connections) isOther() bool { return false }

// closeAll ends all connections.
func (s *connections) closeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for conn := range s.open {
		conn.Close()
	}
}

// admit registers a connection, unless there are too many.
func (s *connections) admit(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) >= maxConnections {
		return false
	}
	s.open[conn] = true
	return true
}

// leave ends a connection.
func (s *connections) leave(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	conn.Close()
	delete(s.open, conn)
}

// serve answers connections until the listener is closed, and waits for their end.
func (s *connections) serve(ctx context.Context, listener net.Listener) {
	var all sync.WaitGroup
	defer all.Wait()
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		if !s.admit(conn) {
			conn.Close()
			continue
		}
		all.Go(func() {
			defer s.leave(conn)
			s.converse(ctx, conn)
		})
		if ctx.Err() != nil {
			s.closeAll()
		}
	}
}

// converse answers the requests of a connection.
func (s *connections) converse(ctx context.Context, conn net.Conn) {
	if conn.SetDeadline(time.Now().Add(connectionTime)) != nil {
		return
	}
	var stream []byte
	buf := make([]byte, 1<<12)
	for len(stream) < maxRequest {
		n, err := conn.Read(buf)
		if err != nil {
			return
		}
		stream = append(stream, buf[:n]...)
		for {
			request, rest, err := s.dialect.request(stream)
			if err != nil {
				return
			}
			if request == nil {
				break
			}
			if !s.respond(ctx, conn, request) {
				return
			}
			stream = rest
		}
	}
}

// respond answers a request, and reports whether the connection goes on.
func (s *connections) respond(ctx context.Context, conn net.Conn, request []byte) bool {
	s.mu.Lock()
	t, v := s.trick, s.view
	s.mu.Unlock()
	s.out.sent(request)
	right := s.dialect.answer(request, v)
	if right == nil {
		return true
	}
	sent := speech{[][]byte{right}, s.dialect.closes}
	if t.speech != nil {
		sent = t.speech(right, v)
	}
	for i, b := range sent.pieces {
		if i > 0 && !cli.Pause(ctx, pieceGap) {
			return false
		}
		if _, err := conn.Write(b); err != nil {
			return false
		}
	}
	return !sent.closes
}

// last returns a speech of bytes after which the connection ends.
func last(b []byte) speech { return speech{[][]byte{b}, true} }

// commonTricks returns the tricks of all protocols over TCP.
func commonTricks(closes bool) []trick {
	return []trick{
		{number: "1", level: check.Must, sentence: "the server answers as it must", source: byProtocol, shows: true},
		{number: "2", level: check.Must, sentence: "each byte comes alone", source: onTCP, shows: true,
			speech: func(right []byte, _ lobbywire.View) speech {
				return speech{slices.Collect(slices.Chunk(right, 1)), closes}
			}},
		{number: "3", level: check.Must, sentence: "the connection ends before the answer", source: onTCP,
			speech: func([]byte, lobbywire.View) speech { return speech{closes: true} }},
		{number: "4", level: check.Must, sentence: "the connection ends in the middle of the answer", source: onTCP,
			speech: func(right []byte, _ lobbywire.View) speech { return last(right[:len(right)/2]) }},
		{number: "5", level: check.Must, sentence: "the server is silent", source: onTCP,
			speech: func([]byte, lobbywire.View) speech { return speech{} }},
	}
}

// onTCP is the source of tricks that any server over TCP may play.
const onTCP = "TCP, which sends bytes in packets of any size, and ends"

// bare reports whether a line has no characters that control a terminal.
func bare(line string) bool { return !strings.ContainsAny(line, "\x1b\x07") }
