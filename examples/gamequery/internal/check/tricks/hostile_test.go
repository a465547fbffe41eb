package tricks

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
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

// Hostile clients make a listener neither print nor send more than it may.
func TestHostileClients(t *testing.T) {
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
