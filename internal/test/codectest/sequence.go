package codectest

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
)

// An Assembler joins the packets of one answer.
type Assembler interface {
	Add(packet []byte) (done bool, err error)
	Missing() []int
}

// Sequences tests an Assembler with sequences of valid packets.
type Sequences[T any] struct {
	// New returns an Assembler and the method that returns its answer.
	New func() (Assembler, func() (T, error))

	// Answers returns the packets of several answers. The argument size determines how
	// they are split. Answers may share packets.
	Answers func(t testing.TB, size int) [][][]byte

	// Numbered means that each packet contains the number of packets, so that all
	// missing packets are known.
	Numbered bool

	Compare cmp.Options
}

// A step of a sequence has two bytes. The first contains the kind of the step and the
// number of the answer, the second the number of the packet. This kind is special:
const stepCut = 14 // add the packet without its end

// Fuzz fuzzes sequences of packets, which may be in any order, of several answers,
// repeated, missing or truncated. The seeds are each answer in order and in reverse, and
// random sequences.
func (s Sequences[T]) Fuzz(f *testing.F) {
	for answer := range s.Answers(f, 0) {
		var script []byte
		for packet := range 8 {
			script = append(script, byte(answer), byte(packet))
		}
		f.Add(script, uint16(0))
		slices.Reverse(script)
		f.Add(script, uint16(100))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 64 {
		script := make([]byte, 2+2*r.IntN(46))
		for i := range script {
			script[i] = byte(r.IntN(256))
			if i%2 == 0 && r.IntN(3) > 0 {
				script[i] = script[0] &^ 0xf0 // mostly one answer
			}
		}
		f.Add(script, uint16(r.IntN(1<<11)))
	}
	f.Fuzz(func(t *testing.T, script []byte, size uint16) {
		if len(script) <= 96 {
			s.run(t, script, int(size))
		}
	})
}

// A state holds the results of all methods of an Assembler.
type state[T any] struct {
	Done    bool
	Missing []int
	Answer  T
	Err     string
}

func (s Sequences[T]) run(t *testing.T, script []byte, size int) {
	answers := s.Answers(t, size)
	a, answer := s.New()
	read := func(done bool) state[T] {
		m, err := answer()
		return state[T]{done, a.Missing(), m, text(err)}
	}
	before := read(false)
	accepted := make(map[string]bool)
	for len(script) >= 2 {
		step, packets := script[0]>>4, answers[int(script[0]&0xf)%len(answers)]
		packet := slices.Clone(packets[int(script[1])%len(packets)])
		script = script[2:]
		if step == stepCut {
			packet = packet[:len(packet)/2]
		}
		key := string(packet)
		done, err := a.Add(packet)
		clear(packet)
		now := read(done)
		if err != nil {
			CheckError(t, err, max(len(key), errorOffset(err)))
		}
		if err != nil || accepted[key] {
			if diff := Diff(before, now, s.Compare); diff != "" || accepted[key] && err != nil {
				t.Fatalf("%q, refused or repeated, changed the state: %v (-before +after):\n%s", key, err, diff)
			}
			continue
		}
		accepted[key] = true
		s.check(t, now, answers, accepted, before.Done)
		before = now
	}
}

// errorOffset returns the offset of an error. It may be an offset in the joined answer.
func errorOffset(err error) int {
	var e *lobbywire.Error
	if errors.As(err, &e) {
		return e.Offset
	}
	return 0
}

// check tests the state of an Assembler after the accepted packets.
func (s Sequences[T]) check(t *testing.T, now state[T], answers [][][]byte, accepted map[string]bool, wasDone bool) {
	t.Helper()
	if wasDone && !now.Done {
		t.Fatal("a packet made a whole answer incomplete")
	}
	if now.Done != (len(now.Missing) == 0) {
		t.Fatalf("done %v, missing %v", now.Done, now.Missing)
	}
	for _, packets := range answers {
		have := 0
		for _, p := range packets {
			if accepted[string(p)] {
				have++
			}
		}
		if have < len(accepted) {
			continue // packets of other answers too
		}
		if s.Numbered && now.Done != (have == len(packets)) {
			t.Fatalf("%d of %d packets added: done %v", have, len(packets), now.Done)
		}
		if have < len(packets) {
			continue
		}
		whole, answer := s.New()
		for _, p := range packets {
			if _, err := whole.Add(p); err != nil {
				t.Fatal(err)
			}
		}
		want, err := answer()
		if err != nil {
			t.Fatal(err)
		}
		if diff := Diff(want, now.Answer, s.Compare); diff != "" || !now.Done {
			t.Fatalf("all packets added: done %v (-in order +joined):\n%s", now.Done, diff)
		}
	}
}
