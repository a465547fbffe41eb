package check

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
)

// A trick is what a server does that clients must bear. A datagram is answered by answer
// and foreign, and a request on a connection by speech.
type trick struct {
	sentence string
	shows    bool                                        // the client must show the server, or else not as whole
	view     func(v *lobbywire.View)                     // changes the state, nil for none
	answer   func(e exchange) [][]byte                   // nil for the right answers
	foreign  func(e exchange) [][]byte                   // sent before that from another port, nil for none
	speech   func(right []byte, v lobbywire.View) speech // nil for the right answer
	shown    func(line string) (ok bool)                 // checks more of what the client shows, nil for nothing
}

// An exchange is a request to a server with a trick.
type exchange struct {
	number       int      // of the request, from 0, during the trick
	right, wrong [][]byte // the answers of the server, and those with another name
}

// wrongName is the start of the name in answers that no client may show.
const wrongName = "Wrong"

// longest is the size of the longest challenge.
const longest = 16

// tricks returns all tricks, in the order of their numbers.
func tricks() []trick {
	before := func(b []byte) func(exchange) [][]byte {
		return func(e exchange) [][]byte { return append([][]byte{b}, e.right...) }
	}
	// Bytes 1 to 4 are the token of SQP and the id of GameSpy.
	otherID := func(e exchange) [][]byte {
		var all [][]byte
		for _, b := range e.wrong {
			if len(b) < longest { // a challenge: of SQP, all tokens are right
				continue
			}
			b = bytes.Clone(b)
			for i := 1; i < 5; i++ {
				b[i] ^= 0x55
			}
			all = append(all, b)
		}
		return append(all, e.right...)
	}
	return []trick{
		{sentence: "the server answers as it must", shows: true},
		{sentence: "another port answers first, with another name", shows: true,
			foreign: func(e exchange) [][]byte { return e.wrong }},
		{sentence: "an answer with another token or id comes first", shows: true, answer: otherID},
		{sentence: "an empty datagram comes first", shows: true, answer: before([]byte{})},
		{sentence: "a datagram of another protocol comes first", shows: true,
			answer: before([]byte("\xff\xff\xff\xffI\x11"))},
		{sentence: "each answer comes twice", shows: true,
			answer: func(e exchange) [][]byte { return slices.Concat(e.right, e.right) }},
		{sentence: "the first request is lost", shows: true, answer: func(e exchange) [][]byte {
			if e.number == 0 {
				return nil
			}
			return e.right
		}},
		{sentence: "there are no players", shows: true,
			view: func(v *lobbywire.View) { v.Players, v.Roster = new(0), nil }},
		{sentence: "the server is full", shows: true, view: func(v *lobbywire.View) { v.Max = v.Players }},
		{sentence: "the name has 200 bytes", shows: true,
			view: func(v *lobbywire.View) { v.Name += strings.Repeat("x", 200-len(v.Name)) }},
		{sentence: "the name has characters that control a terminal", shows: true,
			view:  func(v *lobbywire.View) { v.Name += " \x1b[31m\x07" },
			shown: bare},
		{sentence: "the answer is cut", answer: func(e exchange) [][]byte {
			var all [][]byte
			for _, b := range e.right {
				if len(b) > longest {
					b = b[:len(b)/2]
				}
				all = append(all, b)
			}
			return all
		}},
		{sentence: "the server is silent", answer: func(exchange) [][]byte { return nil }},
	}
}

// A Listener is a server that plays tricks on clients, for the author of one.
type Listener struct {
	Protocol string // has a ServerSuite for Serve, and is one of Streams for ServeStreams
	Match    string // as in Options
	In       io.Reader
	Out      io.Writer
}

// idOfTrick returns the ID of a trick.
func (l Listener) idOfTrick(i int) string { return fmt.Sprintf("%s/client.%d", l.Protocol, i+1) }

// Serve plays one trick after the other to clients of a socket, until ctx is done. Each
// ends with a line of In, which is what the client shows. It returns how many clients'
// lines were wrong.
func (l Listener) Serve(ctx context.Context, socket net.PacketConn) (wrong, total int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	other, err := new(net.ListenConfig).ListenPacket(ctx, "udp", net.JoinHostPort(hostOf(socket), "0"))
	if err != nil {
		return 0, 0, err
	}
	stage := &datagrams{suite: ServerSuite(l.Protocol), out: &said{out: l.Out}, socket: socket, other: other}
	done := make(chan error, 1)
	go func() { done <- stage.serve() }()
	defer func() {
		socket.Close()
		other.Close()
		<-done
	}()
	stop := context.AfterFunc(ctx, func() { socket.Close() })
	defer stop()
	wrong, total = l.ask(ctx, stage, tricks(), "Case %d", stage.out)
	return wrong, total, nil
}

// A stage is where tricks are played.
type stage interface {
	// play ends the trick before, and begins another, with a name to be shown.
	play(t trick, name string)
}

// ask plays tricks, and judges the lines of In. The form of names has the number of the
// trick.
func (l Listener) ask(ctx context.Context, s stage, tricks []trick, form string, out *said) (wrong, total int) {
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
	for i, t := range tricks {
		if !(Options{Match: l.Match}).runs(Case{ID: l.idOfTrick(i)}) {
			continue
		}
		name := fmt.Sprintf(form, i+1)
		want := "must not be shown as whole"
		if t.shows {
			want = "must be shown as " + name
		}
		s.play(t, name)
		out.say("%s: %s; it %s. Ask it, then enter what the client shows.\n", l.idOfTrick(i), t.sentence, want)
		var line string
		more := false
		select {
		case line, more = <-lines:
		case <-ctx.Done():
		}
		if !more {
			break
		}
		total++
		ok := strings.Contains(line, name) == t.shows && !strings.Contains(line, wrongName) &&
			(t.shown == nil || t.shown(line))
		result := "pass"
		if !ok {
			result = "FAIL"
			wrong++
		}
		out.say("%s  %s: the client shows %s\n", result, l.idOfTrick(i), terminal.Printable(line))
	}
	out.say("%s client: %d of %d cases pass\n", l.Protocol, total-wrong, total)
	return wrong, total
}

// A said is output whose lines come from several goroutines.
type said struct {
	mu  sync.Mutex
	out io.Writer
}

// say prints text.
func (s *said) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, format, args...)
}

func hostOf(socket net.PacketConn) string {
	return addrPort(socket.LocalAddr()).Addr().String()
}

// A datagrams is the stage for clients over UDP.
type datagrams struct {
	suite         *Suite
	out           *said
	socket, other net.PacketConn

	mu     sync.Mutex
	trick  trick
	number int
	name   string
	right  responder
}

func (s *datagrams) play(t trick, name string) {
	v := s.suite.edges.States()[0].View
	v.Name = name
	if t.view != nil {
		t.view(&v)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trick, s.number, s.name = t, 0, name
	s.right = s.suite.helper(v).(responder)
}

// renamed returns answers with another name of the same size.
func (s *datagrams) renamed(answers [][]byte) (all [][]byte) {
	other := wrongName + strings.Repeat("!", len(s.name)-len(wrongName))
	for _, b := range answers {
		all = append(all, bytes.ReplaceAll(b, []byte(s.name), []byte(other)))
	}
	return all
}

// serve answers requests until the socket is closed.
func (s *datagrams) serve() error {
	buf := make([]byte, 1<<16)
	for {
		n, from, err := s.socket.ReadFrom(buf)
		if err != nil {
			return err
		}
		s.respond(addrPort(from), from, buf[:n])
	}
}

// respond answers a request. Answers go to its sender only, and are no more than three
// times the right ones.
func (s *datagrams) respond(at netip.AddrPort, from net.Addr, request []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.say("the client sent %s:\n%s", terminal.Count(len(request), "byte"),
		s.suite.Explain(Packet{Sent: true, Bytes: request}))
	if s.right.respond == nil {
		return
	}
	right := s.right.respond(at, request, nil)
	e := exchange{s.number, right, s.renamed(right)}
	s.number++
	if s.trick.foreign != nil {
		for _, b := range s.trick.foreign(e) {
			_, _ = s.other.WriteTo(b, from) // the client may be gone, here and below
		}
	}
	answers := e.right
	if s.trick.answer != nil {
		answers = s.trick.answer(e)
	}
	for _, b := range answers {
		_, _ = s.socket.WriteTo(b, from)
	}
}
