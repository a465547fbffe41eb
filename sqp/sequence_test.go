package sqp_test

import (
	"slices"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/sqp"
)

// FuzzSequence adds packets of several answers: with the same token, with another
// one, and in one packet.
func FuzzSequence(f *testing.F) {
	codectest.Sequences[sqp.QueryResponse]{
		New: func() (codectest.Assembler, func() (sqp.QueryResponse, error)) {
			a := new(sqp.Assembler)
			return a, func() (sqp.QueryResponse, error) { return a.QueryResponse(sqp.AllChunks) }
		},
		Answers: func(t testing.TB, size int) [][][]byte {
			foreign := fullAnswer(5)
			foreign.Token++
			return [][][]byte{
				packetsOf(t, fullAnswer(3), 40+size), packetsOf(t, fullAnswer(8), 40+size),
				packetsOf(t, foreign, 40+size), packetsOf(t, fullAnswer(1), 1<<12),
			}
		},
		Numbered: true,
		Compare:  compare,
	}.Fuzz(f)
}

// packetsOf returns an answer in packets with bodies of a size.
func packetsOf(t testing.TB, m sqp.QueryResponse, size int) (packets [][]byte) {
	b, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := sqp.ParsePacket(b)
	if err != nil {
		t.Fatal(err)
	}
	bodies := slices.Collect(slices.Chunk(whole.Body, size))
	for i, body := range bodies {
		p := sqp.Packet{Token: m.Token, Version: whole.Version, CurrentPacket: uint8(i),
			LastPacket: uint8(len(bodies) - 1), Body: body}
		b, err := p.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		packets = append(packets, b)
	}
	return packets
}
