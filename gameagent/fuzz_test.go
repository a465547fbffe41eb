package gameagent_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
)

//wire:test
func FuzzPlayers(f *testing.F) {
	f.Add(mustAppend(f, sixteen()))
	playersCodec.Fuzz(f)
}

// wantInOrder adds packets in an order derived from order, some of them twice. It
// checks what add and missing report at each step.
func wantInOrder(t *testing.T, packets [][]byte, order []byte, add func(b []byte) (bool, error),
	missing func() []int) {
	t.Helper()
	added := map[int]bool{}
	deliver := func(i int) {
		b := bytes.Clone(packets[i])
		added[i] = true
		done, err := add(b)
		clear(b)
		want := added[0] && added[len(packets)-1]
		if err != nil || done != want {
			t.Fatalf("packet %d of %d added: done %v, want %v, error %v", i, len(packets), done, want, err)
		}
		for _, n := range missing() {
			if n == 0 && added[n] || n > 0 && (n >= len(packets) || added[len(packets)-1]) {
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
func answerOf(players uint8, lengths []byte) []gameagent.Player {
	list := []gameagent.Player{}
	for i := range int(players % 64) {
		n := 40
		if len(lengths) > 0 {
			n = 4 * int(lengths[i%len(lengths)])
		}
		list = append(list, gameagent.Player{Index: i, Name: string(bytes.Repeat([]byte{'x'}, n)), Frags: new(int32(i - 3)),
			Ping: new(i)})
	}
	return list
}

// FuzzAssembler splits an answer into packets, adds them in any order, some of
// them twice, and compares the result. A conflicting packet must not change the
// state.
func FuzzAssembler(f *testing.F) {
	f.Add(uint8(0), []byte{}, []byte{}, []byte{})
	f.Add(uint8(16), []byte{200, 100}, []byte{3, 0, 1, 1, 2}, []byte("\x01players\x029\x03\x04"))
	f.Add(uint8(63), []byte{255}, []byte{9, 8, 7}, []byte("player_4\x02x\x03"))
	f.Fuzz(func(t *testing.T, players uint8, lengths, order, foreign []byte) {
		want := gameagent.Players{Count: int(players), Players: answerOf(players, lengths)}
		packets, err := want.Packets()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range packets {
			if len(p) > gameagent.MaxPacket {
				t.Fatalf("packet of %d bytes", len(p))
			}
		}
		var a gameagent.Assembler
		if len(packets) > gameagent.MaxPackets {
			return
		}
		wantInOrder(t, packets, order, a.Add, a.Missing)
		got, err := a.Players()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		m, err := partial.ParsePlayers(foreign)
		if err != nil || m.NotFirst ||
			slices.ContainsFunc(packets, func(p []byte) bool { return bytes.Equal(p, foreign) }) {
			_, _ = a.Add(foreign)
			_, _ = a.Players()
			return
		}
		if done, err := a.Add(foreign); !done || !errors.Is(err, lobbywire.ErrInvalid) {
			t.Fatalf("second first packet: done %v, error %v", done, err)
		}
		if again, err := a.Players(); err != nil || cmp.Diff(want, again) != "" {
			t.Fatalf("a refused packet changed the answer: %v", err)
		}
	})
}

func FuzzPlayersPart(f *testing.F) { playersPartCodec.Fuzz(f) }
