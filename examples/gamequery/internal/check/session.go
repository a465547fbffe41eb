package check

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
)

// A Peer is the server under test. It is queried from three addresses: two ports of one
// host and, if possible, another host, with the first port.
type Peer interface {
	// Ask sends a datagram from an address, and returns the answers. isWhole reports
	// whether all have arrived. Unless must is set, there may be none. Missing answers
	// are not an error.
	Ask(source int, request []byte, isWhole Whole, must bool) (answers [][]byte, err error)

	// Dial opens a connection from an address.
	Dial(source int) (*Line, error)

	// Renew replaces the ports of the three addresses.
	Renew()

	// Pause waits, for longer each time.
	Pause(try int)

	// Hasten makes later waits shorter, after two waits in vain.
	Hasten()
}

// Whole reports whether all answers to a request have arrived.
type Whole func(answers [][]byte) bool

// One is Whole for requests with one answer.
func One([][]byte) bool { return true }

// A Packet is a datagram, or the bytes of one direction of a connection.
type Packet struct {
	Source  int // the client's address: 0, 1 or 2
	Sent    bool
	Request []byte // that a received packet answers
	Bytes   []byte // at most 64 KiB of them
	Size    int    // of all bytes
	Stream  bool   // of a connection to the lists of a master
}

// A Session asks a server, and remembers what was sent and received. If a case fails, its methods
// end it as [testing.T] ends a test: they do not return. They may only be called within Try, as
// cases are.
type Session struct {
	Peer   Peer
	Set    func(v lobbywire.View) error // nil if states cannot be set
	Expect *lobbywire.View              // nil if the state is unknown
	Random *rand.Rand
	Again  bool // the case runs for the second time

	failed         error    // of the running case
	hasty          bool     // a list has not changed in either try of a case
	packets        []Packet // of the running case
	kept           []Packet // of the last case
	sent, received int
}

// Limits of the packets that are kept of a case: the last ones, and the start of a long
// one.
const (
	maxKeptPackets = 4
	maxKept        = 64 << 10
)

// Note keeps a packet of the running case, and counts it.
func (s *Session) Note(p Packet) {
	if len(s.packets) == maxKeptPackets {
		s.packets = slices.Clone(s.packets[1:])
	}
	p.Size = len(p.Bytes)
	p.Bytes = slices.Clone(p.Bytes[:min(len(p.Bytes), maxKept)])
	s.packets = append(s.packets, p)
	if p.Sent {
		s.sent++
	} else {
		s.received++
	}
}

// Fail ends the case with an error, without the explanation of packets, which a finding has anyway.
func (s *Session) Fail(err error) {
	if e, ok := errors.AsType[*fuzzharness.Explained](err); ok {
		err = e.Err
	}
	s.failed = err
	runtime.Goexit()
}

// Failf is Fail with a text.
func (s *Session) Failf(format string, args ...any) { s.Fail(fmt.Errorf(format, args...)) }

// Check is Fail unless the error is nil.
func (s *Session) Check(err error) {
	if err != nil {
		s.Fail(err)
	}
}

// Try runs a part of a case, and returns the error with which it ends. A case that has failed may
// defer it.
func (s *Session) Try(part func()) error {
	before := s.failed
	s.failed = nil
	done := make(chan struct{})
	go func() {
		defer close(done)
		part()
	}()
	<-done
	err := s.failed
	s.failed = before
	return err
}

// In runs a part of a case, and adds the name of the part to its error.
func (s *Session) In(part string, run func()) {
	if err := s.Try(run); err != nil {
		s.Failf("%s: %w", part, err)
	}
}

// Parsed returns the message in bytes, which must be valid.
func Parsed[T any](s *Session, parse func(b []byte) (T, error), b []byte) T {
	m, err := parse(b)
	s.Check(err)
	return m
}

// Ask sends a request that must be answered once.
func (s *Session) Ask(source int, request []byte) []byte {
	answers := s.AskWhole(source, request, One, true)
	if len(answers) > 1 {
		s.Failf("%d answers: %w", len(answers), fuzzharness.ErrRepeated)
	}
	return answers[0]
}

// AskMaybe sends a request that has one answer, or none.
func (s *Session) AskMaybe(source int, request []byte) [][]byte {
	return s.AskWhole(source, request, One, false)
}

// AskNothing sends requests that must not be answered.
func (s *Session) AskNothing(source int, requests ...[]byte) {
	for _, b := range requests {
		if len(s.AskMaybe(source, b)) > 0 {
			s.Failf("%q: %w", b[:min(len(b), 16)], fuzzharness.ErrAnswered)
		}
	}
}

// AskWhole sends a request, and returns its answers when they are whole. If must is set, the case
// fails without an answer.
func (s *Session) AskWhole(source int, request []byte, isWhole Whole, must bool) [][]byte {
	s.Note(Packet{Source: source, Sent: true, Bytes: request})
	answers, err := s.Peer.Ask(source, slices.Clone(request), isWhole, must)
	for _, b := range answers {
		s.Note(Packet{Source: source, Request: request, Bytes: b})
	}
	s.Check(err)
	if must && len(answers) == 0 {
		s.Fail(fuzzharness.ErrSilent)
	}
	return answers
}

// AtMost sends a request whose answers have no more bytes than allowed: a sender with a
// forged address could flood others with them. It returns the answers.
func (s *Session) AtMost(source int, request []byte, most int) [][]byte {
	answers := s.AskMaybe(source, request)
	if n := len(slices.Concat(answers...)); n > most {
		s.Failf("%d bytes, want at most %d: strangers can flood others with them", n, most)
	}
	return answers
}

// Talk sends a stream at once and closes its side, and returns all answers.
func (s *Session) Talk(stream []byte) []byte {
	c := s.Dial()
	defer c.Line.Close()
	c.Send(stream)
	answers, err := c.Line.End()
	c.note(answers)
	s.Check(err)
	return answers
}

// A Call is a connection, with what was sent and received on it.
type Call struct {
	Line *Line

	s    *Session
	last []byte // what was sent
	read int    // bytes received and returned
}

// Dial opens a connection. Close its line.
func (s *Session) Dial() *Call {
	line, err := s.Peer.Dial(0)
	s.Check(err)
	return &Call{s: s, Line: line}
}

// Send sends bytes in pieces, so that the server sees them one by one.
func (c *Call) Send(pieces ...[]byte) {
	c.last = slices.Concat(pieces...)
	c.s.Note(Packet{Sent: true, Bytes: c.last})
	for i, piece := range pieces {
		if i > 0 {
			c.s.Peer.Pause(1)
		}
		c.Line.Send(piece)
	}
}

func (c *Call) note(answers []byte) {
	if len(answers) > 0 {
		c.s.Note(Packet{Request: c.last, Bytes: answers})
	}
}

// Hear returns the next bytes received, once they are whole.
func (c *Call) Hear(isWhole func(answers []byte) bool) []byte {
	heard, ended := c.Line.Hear(func(heard []byte) bool { return isWhole(heard[c.read:]) })
	answers := heard[c.read:]
	c.read = len(heard)
	c.note(answers)
	switch {
	case isWhole(answers):
	case ended:
		c.s.Fail(ErrCloses)
	default:
		c.s.Fail(ErrIncomplete)
	}
	return answers
}

// Pieces returns bytes cut at some places. Negative places count from the end.
func Pieces(b []byte, at ...int) (all [][]byte) {
	start := 0
	for _, end := range at {
		if end < 0 {
			end += len(b)
		}
		all, start = append(all, b[start:end]), end
	}
	return append(all, b[start:])
}

// NotGuessed fails if tokens, which clients have got one after the other, count up: an attacker
// that gets one could guess the others.
func (s *Session) NotGuessed(tokens ...uint32) {
	const near = 1 << 16
	for i, token := range tokens[1:] {
		step := token - tokens[i]
		if step == 0 || step > near && -step > near {
			return
		}
	}
	s.Failf("the clients have %d: whoever gets one can guess the others", tokens)
}

// Plausible fails if a server has more players than places, or lists more than it has, or if the
// ends of strings or lines are part of texts.
func (s *Session) Plausible(v lobbywire.View) {
	texts := []string{v.Name, v.Map, v.Mode, v.Version}
	for _, p := range v.Roster {
		texts = append(texts, p.Name)
	}
	for _, text := range texts {
		if text != strings.TrimRight(text, "\x00\r\n") {
			s.Failf("%q ends with a zero byte or a line end", text)
		}
	}
	switch {
	case v.Players != nil && len(v.Roster) > *v.Players:
		s.Failf("%d players are listed, and there are %d", len(v.Roster), *v.Players)
	case v.Players != nil && v.Max != nil && *v.Players > *v.Max:
		s.Failf("%d players, and places for %d", *v.Players, *v.Max)
	}
}

// Eventually repeats a part of a case until it succeeds: a server may notice the end of a
// connection late, and cache an encoded list for a moment. It waits 5 s, and less once that was in
// vain.
func (s *Session) Eventually(look func()) {
	s.eventually(look, func(err error) bool { return !isWait(err) })
}

// AwaitList is Eventually for ErrListed and ErrNotListed. Other errors are final.
func (s *Session) AwaitList(look func()) {
	s.eventually(look, func(err error) bool { return errors.Is(err, ErrNotListed) || errors.Is(err, ErrListed) })
}

func (s *Session) eventually(look func(), passes func(err error) bool) {
	tries := 9
	if s.Again || s.hasty {
		tries = 6
	}
	for try := range tries {
		err := s.Try(look)
		if err == nil {
			return
		}
		if try == tries-1 {
			s.hasty = s.Again
		}
		if try == tries-1 || !passes(err) {
			s.Fail(err)
		}
		s.Peer.Pause(try)
	}
}

// Mutations is how many broken requests a robust case sends.
const Mutations = 50

// Mutated returns a request with one change at random: a byte, a bit, a cut, or bytes
// added or repeated.
func (s *Session) Mutated(request []byte) []byte {
	b := slices.Clone(request)
	if len(b) == 0 {
		return []byte{byte(s.Random.Uint32())}
	}
	at := s.Random.IntN(len(b))
	switch s.Random.IntN(5) {
	case 0:
		b[at] = byte(s.Random.Uint32())
	case 1:
		b[at] ^= 1 << s.Random.IntN(8)
	case 2:
		b = b[:at]
	case 3:
		b = slices.Insert(b, at, byte(s.Random.Uint32()), byte(s.Random.Uint32()))
	case 4:
		b = append(b, b[at:]...)
	}
	return b
}

// NewName returns a name that no list has yet.
func NewName() string { return fmt.Sprintf("%s %08x", NameStart, rand.Uint32()) }

// NameStart is the start of the names of the servers that the cases register.
const NameStart = "gamequery check"
