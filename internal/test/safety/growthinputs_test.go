package safety_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// A stretch makes inputs of any size from a golden file: a part of it is repeated.
type stretch struct {
	b          []byte
	fields     []golden.Field
	start, end int  // of the part
	varied     bool // texts and numbers of the copies differ
	counted    bool // the number before the part counts the copies
}

// Limits on the inputs that are made from a golden file.
const (
	longestPart   = 8 // fields
	mostStretches = 48
)

// stretches returns inputs that repeat fields of b or, if it contains JSON, objects, lists and
// members.
func stretches(b []byte, fields []golden.Field) (all []stretch) {
	add := func(start, end int) {
		for i := range 4 {
			all = append(all, stretch{b, fields, start, end, i&1 != 0, i&2 != 0})
		}
	}
	for first := range fields {
		for n := 1; n <= longestPart && first+n <= len(fields); n++ {
			last := fields[first+n-1]
			if last.Offset+last.Length > fields[first].Offset {
				add(fields[first].Offset, last.Offset+last.Length)
			}
		}
	}
	if !bytes.ContainsRune(b, '{') {
		return spread(all, mostStretches)
	}
	for _, v := range jsonValues(b) {
		all = append(all, stretch{b: b, start: v[0], end: v[1]}, stretch{b: b, start: v[0], end: v[1], varied: true})
	}
	return spread(all, mostStretches)
}

// jsonValues returns the ranges of the objects, lists and members in a text of JSON that a comma
// follows, with the comma.
func jsonValues(b []byte) (all [][2]int) {
	var open []int
	member := -1
	for i, c := range b {
		switch c {
		case '{', '[':
			open = append(open, i)
			member = i + 1
		case '}', ']':
			if len(open) > 0 {
				if i+1 < len(b) && b[i+1] == ',' {
					all = append(all, [2]int{open[len(open)-1], i + 2})
				}
				open = open[:len(open)-1]
			}
		case ',':
			if member >= 0 && i > member {
				all = append(all, [2]int{member, i + 1})
			}
			member = i + 1
		}
	}
	return all
}

// of returns an input of about the size. Numbers before the part that may count its bytes are
// adjusted to include the copies.
func (s stretch) of(size int) []byte {
	part := s.b[s.start:s.end]
	n := max(1, (size-len(s.b))/len(part))
	head, counts := slices.Clone(s.b[:s.start]), s.counted
	for _, f := range slices.Backward(s.fields) {
		if f.Offset+f.Length > s.start {
			continue
		}
		field := head[f.Offset:][:f.Length]
		v, write := numberIn(field)
		switch reach := f.Offset + v; {
		case write == nil:
			continue
		case v > 0 && reach <= len(s.b)+1 && reach+f.Length >= s.end:
			v += n * len(part)
		case counts:
			counts = false
			v += n
		default:
			continue
		}
		head = slices.Replace(head, f.Offset, f.Offset+f.Length, write(v)...)
	}
	out := append(make([]byte, 0, len(head)+n*len(part)+len(s.b)), head...)
	for i := range n {
		at := len(out)
		out = append(out, part...)
		if s.varied {
			vary(out[at:], i)
		}
	}
	return append(out, s.b[s.start:]...)
}

// vary makes the copy of a part differ from others: the last letters and digits of it.
func vary(part []byte, n int) {
	const most = 4
	changed := 0
	for i := len(part) - 1; i >= 0 && changed < most; i-- {
		switch c := part[i]; {
		case '0' < c && c <= '9':
			part[i] = '1' + byte(n%9)
			n /= 9
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			part[i] = c&0x20 | 'A' + byte(n%26)
			n /= 26
		case len(part) <= 2:
			part[i] = byte(n)
		default:
			continue
		}
		changed++
	}
}

// numberIn returns the number in a field, if it is less than 1 MiB, and what writes another in
// the same way: as digits, or in an order of bytes. write is nil if there is none.
func numberIn(field []byte) (v int, write func(v int) []byte) {
	const most = 1 << 20
	if v, err := strconv.Atoi(string(field)); err == nil {
		return v, func(v int) []byte { return strconv.AppendInt(nil, int64(v), 10) }
	}
	if size := len(field); size != 1 && size != 2 && size != 4 {
		return 0, nil
	}
	big, little := fixed(field, false), fixed(field, true)
	if v = min(big, little); v >= most {
		return 0, nil
	}
	return v, func(v int) []byte { return number(v, len(field), little < big) }
}

// fixed returns the number in the bytes of a field.
func fixed(field []byte, isLittle bool) (v int) {
	for i := range field {
		if isLittle {
			i = len(field) - 1 - i
		}
		v = v<<8 | int(field[i])
	}
	return v
}

// number returns the bytes of a number, or of the largest that there is room for.
func number(v, size int, isLittle bool) []byte {
	v = min(v, 1<<(8*size)-1)
	b := binary.BigEndian.AppendUint64(nil, uint64(v))[8-size:]
	if isLittle {
		slices.Reverse(b)
	}
	return b
}

// A mix makes packets of an answer from a golden file: a field or two of them differ.
type mix struct {
	b      []byte
	fields []golden.Field // that differ
}

// mixes returns the mixes of one and two fields of b.
func mixes(b []byte, fields []golden.Field) (all []mix) {
	const most = 12
	fields = fields[:min(len(fields), most)]
	for i := range fields {
		for j := i; j < len(fields); j++ {
			all = append(all, mix{b, slices.Compact([]golden.Field{fields[i], fields[j]})})
		}
	}
	return all
}

// of returns packets with about size bytes together.
func (m mix) of(size int) []byte {
	var out []byte
	for n := 0; len(out) < size; n++ {
		at := len(out)
		out = append(out, m.b...)
		for _, f := range m.fields {
			field := out[at+f.Offset:][:f.Length]
			if f.Length <= 4 && !isText(field) {
				copy(field, number(n%(1<<(8*f.Length)), f.Length, false))
			} else {
				vary(field, n)
			}
		}
	}
	return out
}

func isText(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c < ' ' || c > '~' })
}
