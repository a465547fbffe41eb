package gamespy1_test

import (
	"bytes"
	"testing"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

// FuzzSequence adds numbered packets of several answers, which can be distinguished by their
// query IDs and numbers.
func FuzzSequence(f *testing.F) {
	codectest.Sequences[gamespy1.Status]{
		New: func() (codectest.Assembler, func() (gamespy1.Status, error)) {
			a := new(gamespy1.Assembler)
			return a, a.Status
		},
		Answers: func(t testing.TB, size int) (answers [][][]byte) {
			for _, n := range []uint8{63, 40, 20, 0} {
				m := gamespy1.Status{GameName: "serioussamse", NumPlayers: new(int(n)),
					Players: answerOf(n, lengths(size)), QueryID: gamespy1.QueryStatus.ID()}
				packets, err := m.Packets()
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
