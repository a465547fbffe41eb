package tricks

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A flood is input that ends after a hostile client has sent everything.
type flood struct {
	send func()
	io.Reader
}

func (f *flood) Read(b []byte) (int, error) {
	f.send()
	return f.Reader.Read(b)
}

// Hostile clients cannot make a listener print or send more than its limits.
func TestHostileClientsAreLimited(t *testing.T) {
	const datagrams, most = 500, 64 << 10
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	send := func() {
		client, err := net.Dial("udp", socket.LocalAddr().String())
		if err != nil {
			t.Error(err)
			return
		}
		defer client.Close()
		for range datagrams {
			_, _ = client.Write([]byte("\xfe\xfd\x00" + strings.Repeat("\x1b]0;evil\x07\x00", 1000))) // some are lost
		}
	}
	var out strings.Builder
	l := Listener{
		Protocol: "gamespy2", Options: check.Options{Match: []string{"*/client.1"}},
		In: &flood{send, strings.NewReader("nothing\n")}, Out: &out,
	}
	r, err := l.Serve(t.Context(), socket)
	if err != nil || r.Failed[check.Must] != 1 {
		t.Errorf("%v, %v", r, err)
	}
	if n := out.Len(); n > most || strings.ContainsAny(out.String(), "\x1b\x07") {
		t.Errorf("%d bytes are printed, or characters that control a terminal", n)
	}
}

// No datagram in the name of another listener or of an echo makes a trick begin an exchange without
// end.
func TestTricksAnswerRequestsOnly(t *testing.T) {
	listeners := map[string]bool{"sqp": false, "gamespy2": false, "gameagent": false, "minecraft": true}
	for protocol, minecraft := range listeners {
		if minecraft {
			protocol = "gamespy2"
		}
		for _, trick := range datagramTricks(protocol) {
			synctest.Test(t, func(t *testing.T) {
				id := trick.id(protocol)
				sent := 0
				var mu sync.Mutex
				network := &nettest.Network{Route: func(p nettest.Packet) []nettest.Packet {
					mu.Lock()
					defer mu.Unlock()
					sent++
					p.Delay = time.Millisecond
					return []nettest.Packet{p}
				}}
				listen := func(addr string) *nettest.Conn {
					c, err := network.Listen(netip.MustParseAddrPort(addr))
					if err != nil {
						t.Fatal(err)
					}
					return c
				}
				begin := func(addr string) netip.AddrPort {
					s := &datagrams{protocol: protocol, minecraft: minecraft, out: &said{out: io.Discard},
						socket: listen(addr + ":1000"), other: listen(addr + ":1001")}
					s.play(trick, "Case")
					go s.serve()
					t.Cleanup(func() { s.socket.Close() })
					return netip.MustParseAddrPort(addr + ":1000")
				}
				one, two := begin("192.0.2.1"), begin("192.0.2.2")
				echo := netip.MustParseAddrPort("192.0.2.3:7")
				network.Serve(t, echo, func(_ netip.AddrPort, b []byte) [][]byte { return [][]byte{bytes.Clone(b)} })
				for _, from := range []netip.AddrPort{two, echo} {
					for _, b := range []string{
						"", "\xff\xff\xff\xffI\x11", "\x00", "\x00\x00\x00\x00\x00", "\x00ABCD", "\x00ABCD1234\x00",
						"\xfe\xfd\x00ABCD\xff\xff\xff\x01", "\xfe\xfd\x09ABCD", "\xfe\xfd\x09ABCD\x00\x00\x00\x00",
						`\status\`, `\final\`,
					} {
						network.Inject(nettest.Packet{From: from, To: one, Data: []byte(b)})
					}
				}
				time.Sleep(10 * time.Second)
				mu.Lock()
				defer mu.Unlock()
				if sent > 200 {
					t.Errorf("%s: %d datagrams", id, sent)
				}
			})
		}
	}
}

// A connection without an end is closed.
func TestEndlessRequestEnds(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	in, lines := io.Pipe()
	done := make(chan Result, 1)
	go func() {
		done <- Listener{Protocol: "wzhttp", In: in, Out: io.Discard}.ServeStreams(ctx, listener)
	}()
	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for err == nil {
		_, err = client.Write(make([]byte, 1<<12)) // until the listener closes it
	}
	lines.Close()
	<-done
}
