package main

import (
	"context"
	"io"
	"log"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// lists starts masters that list the game. atGameSpy receives the first view that the
// GameSpy master lists.
func lists(t *testing.T) (at places, atGameSpy <-chan lobbywire.View) {
	t.Helper()
	var sockets [2]net.PacketConn
	for i := range sockets {
		var err error
		sockets[i], err = net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
	}
	var listeners [2]net.Listener
	for i := range listeners {
		var err error
		listeners[i], err = net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
	}
	master := new(gamespy1net.Master)
	listed := make(chan lobbywire.View, 1) // the first state
	gamespy := &gamespy2net.Master{
		Games: []gamespy2net.Game{{Name: "gmtest", Key: "HA6zkS"}},
		Admit: func(e gamespy2net.Entry) bool {
			select {
			case listed <- e.View():
			default:
			}
			return true
		},
	}
	lobby := new(warzonenet.Lobby)
	management := new(bombermannet.ManagementServer)
	var serving sync.WaitGroup
	serving.Go(func() { master.Serve(sockets[0]) })
	serving.Go(func() { gamespy.Serve(sockets[1]) })
	serving.Go(func() { lobby.Serve(listeners[0]) })
	serving.Go(func() { management.Serve(listeners[1]) })
	t.Cleanup(func() {
		master.Close()
		gamespy.Close()
		lobby.Close()
		management.Close()
		serving.Wait()
	})
	return places{
		gameagent:  sockets[0].LocalAddr().String(),
		gamespy:    sockets[1].LocalAddr().String(),
		gameName:   "gmtest",
		secretKey:  "HA6zkS",
		lobby:      listeners[0].Addr().String(),
		management: listeners[1].Addr().String(),
		public:     "localhost",
	}, listed
}

// nextPort is where listenSomewhere starts. Operating systems assign higher ports.
var nextPort atomic.Int32

// listenSomewhere finds two consecutive ports.
func listenSomewhere(t *testing.T) (at sockets, port int) {
	t.Helper()
	for range 100 {
		port := 20000 + int(nextPort.Add(2))
		if at, err := listen("127.0.0.1", port); err == nil {
			return at, port
		}
	}
	t.Fatal("no two ports are free")
	return
}

// A played is a running game whose time the test advances.
type played struct {
	port  int
	again chan struct{} // to play on
	stop  func() error
}

// turn is longer than any test.
const turn = time.Hour

// playOn makes the next event happen in a later frame.
func (p *played) playOn() { p.again <- struct{}{} }

// play starts a game that registers at p.
func play(t *testing.T, p places, variant func(*server, context.Context, <-chan time.Time) error) *played {
	t.Helper()
	at, port := listenSomewhere(t)
	s, err := newServer(options{name: "Duel", port: port, every: turn, places: p}, at, log.New(io.Discard, "", 0))
	if err != nil {
		at.close()
		t.Fatal(err)
	}
	game := &played{port: port, again: make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	frames, done := make(chan time.Time), make(chan error, 1)
	go func() { done <- variant(s, ctx, frames) }()
	go game.run(ctx, frames)
	game.stop = sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	t.Cleanup(func() { game.stop() })
	return game
}

// run sends frames until ctx is done.
func (p *played) run(ctx context.Context, frames chan<- time.Time) {
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for ahead := time.Duration(0); ; {
		select {
		case <-ticker.C:
		case <-p.again:
			ahead += turn
		case <-ctx.Done():
			return
		}
		select {
		case frames <- time.Now().Add(ahead):
		case <-ctx.Done():
			return
		}
	}
}

// queries returns the address of the socket for queries.
func (p *played) queries() string { return "127.0.0.1:" + strconv.Itoa(p.port+1) }
