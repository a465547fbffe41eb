package tricks

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
)

// A Listener is a server that plays tricks on a client, for its author.
type Listener struct {
	Protocol  string        // over UDP for Serve, and one of Streams for ServeStreams
	Minecraft bool          // the server of gamespy2 answers as Minecraft does
	Options   check.Options // patterns of IDs
	In        io.Reader
	Out       io.Writer
}

// A Result counts the cases that a client passed, by level.
type Result struct{ Passed, Failed map[check.Level]int }

// Serve plays one trick after the other to clients of a socket, until ctx is done. Each
// trick ends with a line of In, which states what the client shows.
func (l Listener) Serve(ctx context.Context, socket net.PacketConn) (Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	other, err := new(net.ListenConfig).ListenPacket(ctx, "udp", net.JoinHostPort(hostOf(socket), "0"))
	if err != nil {
		return Result{}, err
	}
	stage := &datagrams{
		protocol: l.Protocol, minecraft: l.Minecraft, out: newSaid(l, traffic.Server), socket: socket, other: other,
	}
	done := make(chan error, 1)
	go func() { done <- stage.serve() }()
	defer func() {
		socket.Close()
		other.Close()
		<-done
	}()
	stop := context.AfterFunc(ctx, func() { socket.Close() })
	defer stop()
	return l.ask(ctx, stage, datagramTricks(l.Protocol), "Case %s", stage.out), nil
}

// A stage runs tricks.
type stage interface {
	// play ends the trick before, and begins another, with a name to be shown.
	play(t trick, name string)

	// isOther reports whether clients used another variant of the protocol than the one
	// served.
	isOther() bool
}

// ask plays tricks, and judges the lines of In. form is the format of names, for the
// number of the trick.
func (l Listener) ask(ctx context.Context, s stage, tricks []trick, form string, out *said) Result {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for in := bufio.NewScanner(l.In); in.Scan(); {
			select {
			case lines <- in.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	r := Result{map[check.Level]int{}, map[check.Level]int{}}
	for _, t := range tricks {
		id := t.id(l.Protocol)
		if !l.Options.Runs(check.Case{ID: id}) {
			continue
		}
		name := fmt.Sprintf(form, t.number)
		want := "must not be shown as whole"
		if t.shows {
			want = "must be shown as " + name
		}
		s.play(t, name)
		out.begin()
		out.say("%s (%s): %s; it %s. Ask it, then enter what the client shows.\n", id, t.level, t.sentence, want)
		var line string
		more := false
		select {
		case line, more = <-lines:
		case <-ctx.Done():
		}
		if !more {
			break
		}
		result := t.judge(line, name, s.isOther())
		switch result {
		case check.Pass:
			r.Passed[t.level]++
		case check.Fail:
			r.Failed[t.level]++
		case check.Skip:
			out.say("The client asks for Minecraft: begin with -listen minecraft.\n")
		}
		out.say("%s  %s: the client shows %s\n", strings.Replace(string(result), "fail", "FAIL", 1), id,
			terminal.Printable(line))
	}
	out.say("%s client: %s\n", l.Protocol, r)
	return r
}

// judge returns the result of a trick, from what a client shows. A client that uses
// another variant of the protocol does not fail.
func (t trick) judge(line, name string, isOther bool) check.Result {
	ok := strings.Contains(line, name) == t.shows && !strings.Contains(line, wrongName) &&
		(t.shown == nil || t.shown(line))
	switch {
	case ok:
		return check.Pass
	case isOther && t.shows:
		return check.Skip
	}
	return check.Fail
}

// String returns how many cases passed, for a badge.
func (r Result) String() string {
	var parts []string
	for _, level := range []check.Level{check.Must, check.Should} {
		if total := r.Passed[level] + r.Failed[level]; total > 0 {
			parts = append(parts, fmt.Sprintf("%s %d of %d", level, r.Passed[level], total))
		}
	}
	if parts == nil {
		return "no case passes or fails"
	}
	return strings.Join(parts, ", ") + " pass"
}

// A said prints lines of several goroutines. Requests of clients are printed up to a limit for
// each trick, because clients may be hostile.
type said struct {
	service traffic.Service

	mu   sync.Mutex
	out  io.Writer
	room int // bytes
}

func newSaid(l Listener, role traffic.Role) *said {
	return &said{service: traffic.ServiceOf(l.Protocol, role), out: l.Out}
}

// maxSaid is how many bytes of explanations are printed during a trick.
const maxSaid = 16 << 10

// begin begins a trick.
func (s *said) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.room = maxSaid
}

// say prints text.
func (s *said) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, format, args...)
}

// sent prints what a client has sent, while there is room.
func (s *said) sent(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.room <= 0 {
		return
	}
	const most = 2 << 10
	p := check.Packet{Sent: true, Bytes: b[:min(len(b), most)]}
	meaning := check.Explain(p, s.service, formats.Options{})
	text := fmt.Sprintf("the client sent %s:\n%s", terminal.Count(len(b), "byte"), meaning)
	s.room -= len(text)
	if s.room <= 0 {
		text += "more is not shown before the next case\n"
	}
	_, _ = io.WriteString(s.out, text) // as for say
}
