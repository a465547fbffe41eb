package tricks

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

func TestMain(m *testing.M) {
	suite.Waits()
	m.Run()
}

// playTricks plays all tricks of datagrams to a client, which returns what it shows of a
// server. It returns the output.
func playTricks(t *testing.T, protocol string, client func(addr string) string) (r Result, text string) {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return playAll(t, protocol, func() string { return client(socket.LocalAddr().String()) },
		func(l Listener) (Result, error) { return l.Serve(t.Context(), socket) })
}

// counts returns how many cases failed, and how many were run.
func counts(r Result) (wrong, total int) {
	for _, n := range r.Failed {
		wrong += n
	}
	for _, n := range r.Passed {
		total += n
	}
	return wrong, total + wrong
}

// playAll serves tricks to a client.
func playAll(
	t *testing.T, protocol string, client func() string, serve func(l Listener) (Result, error),
) (r Result, text string) {
	t.Helper()
	in, shows := io.Pipe()
	out, says := io.Pipe()
	all := make(chan string)
	go func() {
		var text strings.Builder
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			text.WriteString(lines.Text() + "\n")
			if !strings.HasSuffix(lines.Text(), "enter what the client shows.") {
				continue
			}
			go func() { fmt.Fprintln(shows, client()) }() // while its requests are printed
		}
		all <- text.String()
	}()
	r, err := serve(Listener{Protocol: protocol, In: in, Out: says})
	if err != nil {
		t.Error(err)
	}
	says.Close()
	return r, <-all
}

// Our clients bear all tricks.
func TestOurClientsBearTricks(t *testing.T) {
	const attempts = 2
	for protocol, client := range map[string]func(ctx context.Context, addr string, timeout time.Duration) (string, error){
		"sqp": func(ctx context.Context, addr string, timeout time.Duration) (string, error) {
			r, err := (&sqpnet.Client{Timeout: timeout, Attempts: attempts}).Query(ctx, addr, sqp.ChunkServerInfo)
			return r.Message.View().Name, err
		},
		"gamespy2": func(ctx context.Context, addr string, timeout time.Duration) (string, error) {
			r, err := (&gamespy2net.Client{Timeout: timeout, Attempts: attempts}).Query(ctx, addr)
			if r.Partial {
				return "a part", err
			}
			return r.View().Name, err
		},
		"gameagent": func(ctx context.Context, addr string, timeout time.Duration) (string, error) {
			r, err := (&gameagentnet.Client{Timeout: timeout, Attempts: attempts}).Status(ctx, addr)
			return r.Message.View().Name, err
		},
	} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			var failed string
			// The later ones are for slow machines.
			for _, timeout := range []time.Duration{time.Second / 5, 2 * time.Second, 20 * time.Second} {
				r, text := playTricks(t, protocol, func(addr string) string {
					shown, err := client(t.Context(), addr, timeout)
					if err != nil {
						return "nothing"
					}
					return fmt.Sprintf("%q", shown)
				})
				wrong, total := counts(r)
				if wrong == 0 && total == len(datagramTricks(protocol)) && strings.Contains(text, "the client sent ") {
					return
				}
				failed = fmt.Sprintf("%d of %d failed:\n%s", wrong, total, text)
			}
			t.Error(failed)
		})
	}
}

// The first query of qstat in the form of GameSpy 3 has the size of a query of Minecraft.
func TestQstatIsNoClientOfMinecraft(t *testing.T) {
	s := &datagrams{protocol: "gamespy2"}
	for query, want := range map[string]bool{
		"\xfe\xfd\x00\x10\x20\x30\x40\xff\xff\xff\x01":                 false,
		"\xfe\xfd\x00\x10\x20\x30\x40\x00\x12\x34\x56":                 true,
		"\xfe\xfd\x00\x10\x20\x30\x40\x00\x12\x34\x56\x00\x00\x00\x00": true,
	} {
		if got := s.isStat([]byte(query)); got != want {
			t.Errorf("%x: %v, want %v", query, got, want)
		}
	}
}
