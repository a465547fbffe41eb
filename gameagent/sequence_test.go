package gameagent_test

import (
	"bytes"
	"testing"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

// FuzzSequence adds packets of several answers, which can be distinguished only by their
// first players.
func FuzzSequence(f *testing.F) {
	codectest.Sequences[gameagent.Players]{
		New: func() (codectest.Assembler, func() (gameagent.Players, error)) {
			a := new(gameagent.Assembler)
			return a, a.Players
		},
		Answers: func(t testing.TB, size int) (answers [][][]byte) {
			for _, n := range []uint8{63, 40, 20, 0} {
				packets, err := gameagent.Players{Count: int(n), Players: answerOf(n, lengths(size))}.Packets()
				if err != nil {
					t.Fatal(err)
				}
				answers = append(answers, packets)
			}
			return answers
		},
	}.Fuzz(f)
}

// lengths returns the lengths of names for answerOf.
func lengths(size int) []byte { return bytes.Repeat([]byte{byte(20 + size%60)}, 1) }
