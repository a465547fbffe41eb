package gamespy1_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// wantInOrder adds packets in an order derived from order, some of them twice. It
// checks what add and missing report at each step: the loss of any packet is recognized.
func wantInOrder(t *testing.T, packets [][]byte, order []byte, add func(b []byte) (bool, error),
	missing func() []int) {
	t.Helper()
	added := map[int]bool{}
	deliver := func(i int) {
		b := bytes.Clone(packets[i])
		added[i] = true
		done, err := add(b)
		clear(b)
		want := len(added) == len(packets)
		if err != nil || done != want {
			t.Fatalf("packet %d of %d added: done %v, want %v, error %v", i, len(packets), done, want, err)
		}
		for _, n := range missing() {
			if added[n] || n >= len(packets) {
				t.Fatalf("packet %d of %d missing, added %v", n, len(packets), added)
			}
		}
		if got := len(missing()) == 0; got != done {
			t.Fatalf("missing %v, done %v", missing(), done)
		}
	}
	for _, i := range order {
		deliver(int(i) % len(packets))
	}
	for i := range packets {
		deliver(i)
	}
}

// answerOf returns players whose names have the given lengths.
func answerOf(players uint8, lengths []byte) []gamespy1.Player {
	list := []gamespy1.Player{}
	for i := range int(players % 64) {
		n := 40
		if len(lengths) > 0 {
			n = 4 * int(lengths[i%len(lengths)])
		}
		list = append(list, gamespy1.Player{Index: i, Name: string(bytes.Repeat([]byte{'x'}, n)), Frags: new(int32(i - 3)),
			Ping: new(i)})
	}
	return list
}

func FuzzAnswers(f *testing.F) {
	for _, g := range golden.Load(f) {
		for q := range 4 {
			f.Add(g.Data, uint8(q))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, q uint8) { answers(gamespy1.Query(q%4)).Check(t, b) })
}

// FuzzAssembler splits an answer into packets, adds them in any order, some of
// them twice, and compares the result.
func FuzzAssembler(f *testing.F) {
	f.Add(uint8(0), []byte{}, []byte{}, []byte{})
	f.Add(uint8(16), []byte{200, 100}, []byte{3, 0, 1, 1, 2}, []byte(`\gamename\x`))
	f.Add(uint8(63), []byte{255}, []byte{9, 8, 7}, []byte(`\player_4\x\final\`))
	f.Fuzz(func(t *testing.T, players uint8, lengths, order, foreign []byte) {
		want := gamespy1.Status{GameName: "serioussamse", Players: answerOf(players, lengths),
			QueryID: gamespy1.QueryStatus.ID()}
		packets, err := want.Packets()
		if err != nil {
			t.Fatal(err)
		}
		var a gamespy1.Assembler
		if len(packets) > gamespy1.MaxPackets {
			return
		}
		wantInOrder(t, packets, order, a.Add, a.Missing)
		got, err := a.Status()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		_, _ = a.Add(foreign)
		_, _ = a.Status()
	})
}

// FuzzNextGreeting cuts a stream in two. The first part has the same greeting as
// the whole, or none yet.
func FuzzNextGreeting(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data, len(g.Data)/2)
	}
	f.Fuzz(func(t *testing.T, b []byte, at int) {
		whole, wholeRest, wholeErr := gamespy1.NextGreeting(b)
		if e := (*lobbywire.Error)(nil); wholeErr != nil && wholeErr != lobbywire.ErrTruncated &&
			!errors.As(wholeErr, &e) {
			t.Fatal(wholeErr)
		}
		at = min(max(at, 0), len(b))
		m, rest, err := gamespy1.NextGreeting(b[:at])
		switch {
		case err == lobbywire.ErrTruncated:
		case err != nil && wholeErr == nil, err == nil && (wholeErr != nil || m.Secure != whole.Secure):
			t.Fatalf("%+v, %v of %d bytes, %+v, %v of %d", m, err, at, whole, wholeErr, len(b))
		case err == nil:
			rest = b[at-len(rest):]
			if !m.Final && whole.Final {
				rest, _ = gamespy1.CutEnd(rest)
			}
			if string(rest) != string(wholeRest) {
				t.Fatalf("%q is left of the parts, %q of the whole", rest, wholeRest)
			}
		}
	})
}
