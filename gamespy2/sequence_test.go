package gamespy2_test

import (
	"testing"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

// FuzzSequence adds packets of several answers: with the same id, with another one,
// cut in other ways, and in plain form.
func FuzzSequence(f *testing.F) {
	codectest.Sequences[gamespy2.Response]{
		New: func() (codectest.Assembler, func() (gamespy2.Response, error)) {
			a := new(gamespy2.Assembler)
			return a, a.Response
		},
		Answers: func(t testing.TB, size int) [][][]byte {
			foreign := bf2Response(6)
			foreign.ID[0]++
			size = 180 + size%1000
			first, second, third := gamespy2.CutInto(bf2Response(6), size), gamespy2.CutInto(bf2Response(9),
				size), gamespy2.CutInto(foreign, size)
			whole, err := bf2Response(24).Packets()
			if err != nil {
				t.Fatal(err)
			}
			return [][][]byte{first, second, third, whole, {mustAppend(t, tinyResponse(true))},
				{mustAppend(t, tinyResponse(false))}}
		},
		Numbered: true,
	}.Fuzz(f)
}
