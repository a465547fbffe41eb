package ban

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"golang.org/x/net/bpf"
)

// Offsets of the source address. Offsets from networkHeader, SKF_NET_OFF in the kernel,
// count from the start of the IP header.
const (
	networkHeader = 1<<32 - 0x100000
	versionOffset = networkHeader
	source4Offset = networkHeader + 12
	source6Offset = networkHeader + 8
)

// program returns a program of at most size instructions that drops the datagrams
// from prefixes and accepts all others. left is the number of prefixes that do not
// fit; the longest prefixes are left out.
func program(prefixes []Prefix, size int) (all []bpf.Instruction, left int) {
	widest := slices.SortedStableFunc(slices.Values(prefixes),
		func(a, b Prefix) int { return cmp.Compare(a.Bits(), b.Bits()) })
	take := bpf.RetConstant{Val: math.MaxUint32}
	const around = 6 // instructions that do not depend on the prefixes
	var four, six []bpf.Instruction
	for _, p := range widest {
		test := testOf(p)
		switch {
		case around+len(four)+len(six)+len(test) > size:
			left++
		case p.Addr().Is4():
			four = append(four, test...)
		default:
			six = append(six, test...)
		}
	}
	all = append(all,
		bpf.LoadAbsolute{Off: versionOffset, Size: 1},
		bpf.ALUOpConstant{Op: bpf.ALUOpShiftRight, Val: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: 4, SkipTrue: 1},
		bpf.Jump{Skip: uint32(len(four) + 1)},
	)
	all = append(append(all, four...), take)
	return append(append(all, six...), take), left
}

// testOf returns instructions that drop the datagram if its source is in p. They
// compare as many words of 4 bytes as p has bits in.
func testOf(p Prefix) (all []bpf.Instruction) {
	offset, b, bits := uint32(source6Offset), p.Addr().AsSlice(), p.Bits()
	if p.Addr().Is4() {
		offset = source4Offset
	}
	const perWord = 3
	for words := max((bits+31)/32, 1); words > 0; words-- {
		all = append(all,
			bpf.LoadAbsolute{Off: offset, Size: 4},
			bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: ^uint32(0) << (32 - min(bits, 32))},
			bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: binary.BigEndian.Uint32(b), SkipTrue: uint8(perWord*(words-1) + 1)},
		)
		offset, b, bits = offset+4, b[4:], bits-32
	}
	return append(all, bpf.RetConstant{Val: 0})
}
