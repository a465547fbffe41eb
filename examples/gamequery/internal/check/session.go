package check

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
)

// A Peer is the server under test. It is reached from three addresses: two ports of one
// host and, if possible, another host.
type Peer interface {
	// Ask sends a datagram from an address, and returns the answers. isWhole reports
	// whether all have arrived. Unless must is set, there may be none. Missing answers
	// are not an error.
	Ask(source int, request []byte, isWhole Whole, must bool) (answers [][]byte, err error)

	// Dial opens a connection from an address.
	Dial(source int) (*Line, error)
}

// Whole reports whether all answers to a request have arrived.
type Whole func(answers [][]byte) bool

// one is Whole for requests with one answer.
func one([][]byte) bool { return true }

// A Packet is a datagram, or the bytes of one direction of a connection.
type Packet struct {
	Source  int // the client's address: 0, 1 or 2
	Sent    bool
	Request []byte // that a received packet answers
	Bytes   []byte

	stream bool // of a connection to the lists of a master
}

// A Session asks a server, and remembers what was sent and received.
type Session struct {
	peer   Peer
	set    func(v lobbywire.View) error // nil if states cannot be set
	random *rand.Rand

	packets        []Packet // of the running case
	sent, received int
}

// ask sends a request that has one answer.
func (s *Session) ask(source int, request []byte) ([][]byte, error) {
	return s.askWhole(source, request, one, true)
}

// askMaybe sends a request that has one answer, or none.
func (s *Session) askMaybe(source int, request []byte) ([][]byte, error) {
	return s.askWhole(source, request, one, false)
}

// askNothing sends a request that must not be answered.
func (s *Session) askNothing(source int, request []byte) error {
	answers, err := s.askMaybe(source, request)
	if err == nil && len(answers) > 0 {
		err = fmt.Errorf("%d answers, want none", len(answers))
	}
	return err
}

// askWhole sends a request, and returns its answers when they are whole.
func (s *Session) askWhole(source int, request []byte, isWhole Whole, must bool) ([][]byte, error) {
	s.note(Packet{Source: source, Sent: true, Bytes: request})
	s.sent++
	answers, err := s.peer.Ask(source, slices.Clone(request), isWhole, must)
	for _, b := range answers {
		s.note(Packet{Source: source, Request: request, Bytes: b})
	}
	s.received += len(answers)
	return answers, err
}

// talk sends a stream at once and closes its side, and returns all answers.
func (s *Session) talk(source int, stream []byte) ([]byte, error) {
	c, err := s.dial(source)
	if err != nil {
		return nil, err
	}
	defer c.line.Close()
	c.send(stream)
	answers, err := c.line.End()
	c.received(answers)
	return answers, err
}

// A call is a connection, with what was sent and received on it.
type call struct {
	s      *Session
	source int
	line   *Line
	last   []byte // what was sent
	read   int    // bytes of what has come
}

// dial opens a connection. Close its line.
func (s *Session) dial(source int) (*call, error) {
	line, err := s.peer.Dial(source)
	return &call{s: s, source: source, line: line}, err
}

// send sends bytes in pieces, so that the server sees them one by one.
func (c *call) send(pieces ...[]byte) {
	c.last = slices.Concat(pieces...)
	c.s.note(Packet{Source: c.source, Sent: true, Bytes: c.last})
	c.s.sent++
	for i, piece := range pieces {
		if i > 0 {
			c.s.pause(1)
		}
		c.line.Send(piece)
	}
}

// received notes what has come.
func (c *call) received(answers []byte) {
	if len(answers) > 0 {
		c.s.note(Packet{Source: c.source, Request: c.last, Bytes: answers})
		c.s.received++
	}
}

// hear returns what comes next, until it is whole.
func (c *call) hear(isWhole func(answers []byte) bool) ([]byte, error) {
	heard, ended := c.line.Hear(func(heard []byte) bool { return isWhole(heard[c.read:]) })
	answers := heard[c.read:]
	c.read = len(heard)
	c.received(answers)
	switch {
	case isWhole(answers):
		return answers, nil
	case ended:
		return answers, errors.New("the server closes the connection before it has answered")
	}
	return answers, errors.New("no whole answer while the client keeps the connection open")
}

// pieces returns bytes cut at some places. Negative ones count from the end.
func pieces(b []byte, at ...int) (all [][]byte) {
	start := 0
	for _, end := range at {
		if end < 0 {
			end += len(b)
		}
		all, start = append(all, b[start:end]), end
	}
	return append(all, b[start:])
}

// judged asks a request from the first address and judges the answers.
func (s *Session) judged(request []byte, judge func(request []byte, answers [][]byte) error) error {
	answers, err := s.ask(0, request)
	if err != nil {
		return err
	}
	return summary(judge(request, answers))
}

// summary returns the first line of an error. The others explain packets, which a finding
// has anyway.
func summary(err error) error {
	if err == nil {
		return nil
	}
	line, _, more := strings.Cut(err.Error(), "\n")
	if !more {
		return err
	}
	return errors.New(line)
}

// guessed returns an error if tokens, which clients have got one after the other, count up:
// a stranger that gets one knows the others.
func guessed(tokens []uint32) error {
	const near = 1 << 16
	for i, token := range tokens[1:] {
		step := token - tokens[i]
		if step == 0 || step > near && -step > near {
			return nil
		}
	}
	return fmt.Errorf("the clients have %d: whoever gets one can guess the others", tokens)
}

// implausible returns an error if a server has more players than places, or lists more than it
// has, or if the ends of strings or lines are part of texts.
func implausible(v lobbywire.View) error {
	texts := []string{v.Name, v.Map, v.Mode, v.Version}
	for _, p := range v.Roster {
		texts = append(texts, p.Name)
	}
	for _, text := range texts {
		if text != strings.TrimRight(text, "\x00\r\n") {
			return fmt.Errorf("%q ends with a zero byte or a line end", text)
		}
	}
	switch {
	case v.Players != nil && len(v.Roster) > *v.Players:
		return fmt.Errorf("%d players are listed, and there are %d", len(v.Roster), *v.Players)
	case v.Players != nil && v.Max != nil && *v.Players > *v.Max:
		return fmt.Errorf("%d players, and places for %d", *v.Players, *v.Max)
	}
	return nil
}

// A pauser is a peer that takes time. Pause waits for longer each time.
type pauser interface{ Pause(try int) }

// eventually repeats a check until it succeeds: a server may notice the end of a connection a
// moment later, and keep an encoded list for a moment. It returns the last error.
func (s *Session) eventually(check func() error) (err error) {
	const tries = 10
	for try := range tries {
		err = check()
		if err == nil {
			return nil
		}
		s.pause(try)
	}
	return err
}

func (s *Session) pause(try int) {
	if p, ok := s.peer.(pauser); ok {
		p.Pause(try)
	}
}

// mutated returns a request with one change at random: a byte, a bit, a cut, or bytes
// added or repeated.
func (s *Session) mutated(request []byte) []byte {
	b := slices.Clone(request)
	if len(b) == 0 {
		return []byte{byte(s.random.Uint32())}
	}
	at := s.random.IntN(len(b))
	switch s.random.IntN(5) {
	case 0:
		b[at] = byte(s.random.Uint32())
	case 1:
		b[at] ^= 1 << s.random.IntN(8)
	case 2:
		b = b[:at]
	case 3:
		b = slices.Insert(b, at, byte(s.random.Uint32()), byte(s.random.Uint32()))
	case 4:
		b = append(b, b[at:]...)
	}
	return b
}
