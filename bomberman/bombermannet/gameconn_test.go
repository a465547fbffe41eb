package bombermannet_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// ends returns both ends of a connection.
func ends(t testing.TB) (client, server net.Conn) {
	t.Helper()
	network := new(nettest.Streams)
	l, err := network.Listen(netip.MustParseAddrPort("[2001:db8::1]:4000"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	client, err = network.Dial(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server, err = l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return client, server
}

// game returns a game server's end of a connection and the other end, without a
// GameConn.
func game(t testing.TB, c *bombermannet.GameConn) (*bombermannet.GameConn, *line) {
	t.Helper()
	client, server := ends(t)
	c.Conn = server
	t.Cleanup(func() { c.Close() })
	return c, newLine(t, client)
}

// everyMessage contains one of each message between clients and game servers.
func everyMessage() []bomberman.Message {
	return []bomberman.Message{
		bomberman.RegisterPlayer{Name: "Ada"},
		bomberman.RegisterPlayerResponse{AdaptedName: "Ada1"},
		bomberman.PlayersUpdated{Players: []bomberman.LobbyPlayer{{Name: "Ada1", IsLeader: true}}},
		bomberman.ConfigureArena{
			ArenaWidth: 13, ArenaHeight: 11, PlayTimeMinutes: 2, ArmorEffectSeconds: 5, BombExplosionSeconds: 2,
			MaxPlayers: 2, GameplayMode: bomberman.GameplayModeStandardA,
		},
		bomberman.ArenaUpdated{Players: []bomberman.ArenaPlayer{{Number: 1, Name: "Ada1", X: 1, Y: 2}},
			UpdatedFields: []bomberman.Field{}},
		bomberman.PlayerAction{Action: bomberman.ActionLeft},
		bomberman.RoundEndHighscore{Players: []bomberman.Highscore{{Name: "Ada1", Score: -3}}},
		bomberman.Unknown{Command: "gsDance", Content: []byte(`{"steps":5}`)},
	}
}

// Both ends receive every message in order, and the connection lasts while both send
// heartbeats.
func TestGameConnKeepsMessagesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := ends(t)
		client, server := &bombermannet.GameConn{Conn: a}, &bombermannet.GameConn{Conn: b}
		defer client.Close()
		defer server.Close()
		silent := make(chan error, 1)
		go func() {
			_, err := client.Receive()
			silent <- err
		}()
		for _, m := range everyMessage() {
			if err := client.Send(m); err != nil {
				t.Errorf("%T: %v", m, err)
			}
		}
		for _, want := range everyMessage() {
			got, err := server.Receive()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			time.Sleep(time.Minute) // game servers have other things to do
		}
		synctest.Wait()
		select {
		case err := <-silent:
			t.Errorf("the client got %v", err)
		default:
		}
		if err := client.Close(); err != nil {
			t.Error(err)
		}
		if err := <-silent; !errors.Is(err, net.ErrClosed) || !errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("Receive after Close: %v", err)
		}
		if err := client.Send(bomberman.Heartbeat{}); !errors.Is(err, net.ErrClosed) ||
			!errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("Send after Close: %v", err)
		}
		if _, err := server.Receive(); err != io.EOF {
			t.Errorf("the server got %v", err)
		}
		if err := server.Send(bomberman.Heartbeat{}); err != io.EOF {
			t.Errorf("Send after the end: %v", err)
		}
	})
}

// A heartbeat is sent every 2 s, whatever else is sent.
func TestGameConnSendsAHeartbeatEach2s(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, peer := game(t, new(bombermannet.GameConn))
		go c.Receive()
		begin := time.Now()
		for i := range 10 {
			peer.send(`{"command":"xxHeartbeat"}`)
			for range 5 {
				if err := c.Send(bomberman.PlayersUpdated{}); err != nil {
					t.Fatal(err)
				}
			}
			for {
				payload, err := peer.payload()
				if err != nil {
					t.Fatal(err)
				}
				if string(payload) == `{"command":"xxHeartbeat"}` {
					break
				}
			}
			if got, want := time.Since(begin), time.Duration(i+1)*2*time.Second; got != want {
				t.Errorf("heartbeat %d after %v, want %v", i+1, got, want)
			}
		}
	})
}

// A peer that has sent a heartbeat must send whole messages within 6 s of each
// other. A peer that has sent none may be silent between messages.
func TestGameConnEndsInSilence(t *testing.T) {
	heartbeat := frame(`{"command":"xxHeartbeat"}`)
	for _, tt := range []struct {
		name  string
		first string
		every time.Duration
		sent  string
		ends  time.Duration // 0: does not
	}{
		{"nothing", "", time.Second, "", 0},
		{"line ends", "", time.Second, "\n", 0},
		{"digits", "", time.Second, "0", 7 * time.Second},
		{"invalid messages", "", 7 * time.Second, frame(`{"command":`), 0},
		{"heartbeats", heartbeat, 5 * time.Second, heartbeat, 0},
		{"heartbeats of Java", heartbeat, 5 * time.Second, frame(`{"command":"xxheartbeat","content":""}`), 0},
		{"nothing after a heartbeat", heartbeat, time.Second, "", 6 * time.Second},
		{"invalid messages after a heartbeat", heartbeat, 5 * time.Second, frame(`{"command":`), 0},
		{"line ends after a heartbeat", heartbeat, time.Second, "\n", 6 * time.Second},
		{"digits after a heartbeat", heartbeat, time.Second, "0", 7 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, peer := game(t, new(bombermannet.GameConn))
			ended := make(chan error, 1)
			begin := time.Now()
			go func() {
				for {
					if _, err := c.Receive(); err != nil {
						ended <- err
						return
					}
				}
			}()
			go io.Copy(io.Discard, peer)
			tick := time.NewTicker(tt.every)
			defer tick.Stop()
			io.WriteString(peer, tt.first)
			for time.Since(begin) < time.Minute {
				select {
				case <-tick.C:
					io.WriteString(peer, tt.sent)
				case err := <-ended:
					if got := time.Since(begin); err != bombermannet.ErrSilent || got != tt.ends {
						t.Errorf("%s: %v after %v, want %v", tt.name, err, got, tt.ends)
					}
					return
				}
			}
			if tt.ends != 0 {
				t.Errorf("%s: no end", tt.name)
			}
		})
	}
}

// A peer that does not read is dropped after a time or once too much output is pending,
// and Send does not wait for it.
func TestGameConnDropsPeersThatNeverRead(t *testing.T) {
	tick := bomberman.ArenaUpdated{UpdatedFields: []bomberman.Field{}}
	for x := range 400 {
		tick.UpdatedFields = append(tick.UpdatedFields, bomberman.Field{X: x % 21, Y: x / 21})
	}
	for _, tt := range []struct {
		name  string
		every time.Duration
		ends  time.Duration
	}{
		{"for its time", 2 * time.Second, 30 * time.Second},
		{"for what waits", time.Millisecond, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, peer := game(t, new(bombermannet.GameConn))
			var living sync.WaitGroup
			defer living.Wait()
			living.Go(func() {
				for {
					if _, err := io.WriteString(peer, frame(`{"command":"xxHeartbeat"}`)); err != nil {
						return
					}
					time.Sleep(time.Second)
				}
			})
			ended := make(chan error, 1)
			go func() {
				_, err := c.Receive()
				ended <- err
			}()
			begin := time.Now()
			for {
				before := time.Now()
				err := c.Send(tick)
				if time.Since(before) != 0 {
					t.Errorf("%s: Send took %v", tt.name, time.Since(before))
				}
				if err != nil {
					if got := time.Since(begin); err != bombermannet.ErrSlow || got > tt.ends {
						t.Errorf("%s: %v after %v", tt.name, err, got)
					}
					break
				}
				time.Sleep(tt.every)
			}
			if err := <-ended; err != bombermannet.ErrSlow {
				t.Errorf("%s: Receive: %v", tt.name, err)
			}
		})
	}
}

// Invalid messages are dropped, and an invalid frame ends the connection.
func TestGameConnDropsBadMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, peer := game(t, new(bombermannet.GameConn))
		for b := range slices.Chunk([]byte(frame(`{"command":"gsPlayerAction","content":{"action":7}}`)+frame(`[1]`)+
			"\n\n"+frame(`{"command":"gsRegisterPlayer","content":{"name":"?"}}`)), 1) {
			peer.raw(string(b))
			synctest.Wait()
		}
		m, err := c.Receive()
		if diff := cmp.Diff(bomberman.Message(bomberman.RegisterPlayer{Name: "?"}), m); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		if err := c.Send(bomberman.RegisterPlayer{Name: "?"}); !errors.Is(err, lobbywire.ErrInvalid) {
			t.Errorf("sent: %v", err)
		}
		if got := c.Dropped(); got != 2 {
			t.Errorf("%d messages are dropped", got)
		}
		peer.raw("4294967296{")
		if m, err := c.Receive(); !errors.Is(err, lobbywire.ErrTooLarge) {
			t.Errorf("a message that is too long: got %v, %v", m, err)
		}
		if err := c.Send(bomberman.Heartbeat{}); !errors.Is(err, lobbywire.ErrTooLarge) {
			t.Errorf("sent: %v", err)
		}
		peer.expectEnd()
	})
}

// All messages of the programs in Java are received.
func TestGameConnReceivesMessagesOfJava(t *testing.T) {
	all := goldens(t)
	maps.DeleteFunc(all, func(name string, _ []byte) bool {
		return !strings.HasPrefix(name, "java_client_") && !strings.HasPrefix(name, "java_server_")
	})
	for name, b := range all {
		want, err := bomberman.ParseFrame(b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		synctest.Test(t, func(t *testing.T) {
			c, peer := game(t, new(bombermannet.GameConn))
			go peer.raw(string(b) + "\n" + unitsFrame(`{"command":"gsRegisterPlayer","content":{"name":"轰😀"}}`))
			got, err := c.Receive()
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
			}
			got, err = c.Receive()
			if diff := cmp.Diff(bomberman.Message(bomberman.RegisterPlayer{Name: "轰😀"}), got); err != nil ||
				diff != "" {
				t.Errorf("after %s: %v (-want +got):\n%s", name, err, diff)
			}
		})
	}
}

// Shutdown waits until a peer that reads has received all output.
func TestGameConnShutdownDeliversAllOutput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, peer := game(t, new(bombermannet.GameConn))
		for range 1000 {
			if err := c.Send(bomberman.RegisterPlayerResponse{Rejected: true}); err != nil {
				t.Fatal(err)
			}
		}
		ended := make(chan error, 1)
		go func() { ended <- c.Shutdown(t.Context()) }()
		for range 1000 {
			if _, err := peer.payload(); err != nil {
				t.Fatal(err)
			}
		}
		peer.expectEnd()
		peer.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if _, err := c.Receive(); !errors.Is(err, net.ErrClosed) || !errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("got %v", err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		c, _ := game(t, new(bombermannet.GameConn))
		for range 2000 {
			if err := c.Send(bomberman.RegisterPlayerResponse{Rejected: true}); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begin := time.Now()
		if err := c.Shutdown(ctx); err != context.DeadlineExceeded || time.Since(begin) != time.Second {
			t.Errorf("a peer that does not read: %v after %v", err, time.Since(begin))
		}
	})
}

func TestGameConnWithoutConnFails(t *testing.T) {
	var c bombermannet.GameConn
	if _, err := c.Receive(); err == nil {
		t.Error("received without an error")
	}
	if err := c.Send(bomberman.Heartbeat{}); err == nil {
		t.Error("sent without an error")
	}
	if err := c.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// A GameConn sends a heartbeat every two seconds.
func TestGameConnSendsHeartbeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, peer := game(t, new(bombermannet.GameConn))
		var sent bytes.Buffer
		go io.Copy(&sent, peer)
		if err := c.Send(bomberman.Heartbeat{}); err != nil {
			t.Error(err)
		}
		time.Sleep(10*time.Second + 1)
		synctest.Wait()
		if got := strings.Count(sent.String(), "xxHeartbeat"); got != 1+5 {
			t.Errorf("%d sent in 10 s", got)
		}
		if err := c.Send(nil); err == nil {
			t.Error("no message is sent")
		}
	})
}
