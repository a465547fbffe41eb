package ban

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"golang.org/x/net/bpf"
)

// Where the source address is. Offsets from networkHeader, which is the
// SKF_NET_OFF of the kernel, are from the start of the IP header.
const (
	networkHeader = 1<<32 - 0x100000
	versionOffset = networkHeader
	source4Offset = networkHeader + 12
	source6Offset = networkHeader + 8
)

// program returns what drops the datagrams of prefixes, and takes all others
// whole, in as many instructions as size. There is no room for left of them, of
// the longest.
func program(prefixes []Prefix, size int) (all []bpf.Instruction, left int) {
	widest := slices.SortedStableFunc(slices.Values(prefixes), func(a, b Prefix) int { return cmp.Compare(a.Bits(), b.Bits()) })
	take := bpf.RetConstant{Val: math.MaxUint32}
	const around = 6 // the instructions besides those of prefixes
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

// testOf drops if the source is in p. It compares as many words of 4 bytes as
// p has bits in.
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
