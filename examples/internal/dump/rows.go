package dump

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A row is a line of a dump: an offset and, except in the last row of some dumps, data.
type row struct {
	line   int    // in the text, from 1
	prefix string // of the offset: "0x" or nothing
	offset string
	colon  bool   // behind the offset
	rest   string // behind that
	star   bool   // stands for repetitions of the row before; only line is set
}

// maxRow is the longest line that is a row. Programs print up to 256 bytes in a row.
const maxRow = 2048

// rowOf reads a line, and reports whether it can be a row.
func rowOf(no int, line string) (row, bool) {
	if len(line) > maxRow {
		return row{}, false
	}
	if strings.TrimSpace(line) == "*" {
		return row{line: no, star: true}, true
	}
	r := row{line: no}
	rest := strings.TrimLeft(line, " \t")
	if strings.HasPrefix(rest, "0x") || strings.HasPrefix(rest, "0X") {
		r.prefix, rest = rest[:2], rest[2:]
	}
	behind := strings.TrimLeft(rest, hexDigits)
	r.offset = rest[:len(rest)-len(behind)]
	behind, r.colon = strings.CutPrefix(behind, ":")
	r.rest = strings.TrimSpace(behind)
	isRow := 4 <= len(r.offset) && len(r.offset) <= 16 && (behind == "" || behind[0] == ' ' || behind[0] == '\t')
	return r, isRow
}

// marked reports whether the first word of a row cannot be data.
func (r row) marked() bool { return r.prefix != "" || r.colon || len(r.offset)%2 == 1 }

// first returns the first word of the data.
func (r row) first() string {
	word, _, _ := strings.Cut(r.rest, " ")
	return word
}

// A block is the rows of one dump.
type block []row

// errOffset is the error for a text that can be a dump, or hexadecimal without offsets.
var errOffset = errors.New("the first word may be an offset or data: " +
	"remove it if it is an offset, or write -as hex if it is data")

// readRows reads dumps with offsets, one for each packet.
func readRows(text string, limit int) (Text, bool, error) {
	blocks, err := blocksOf(text)
	if len(blocks) == 0 {
		return Text{}, false, nil
	}
	u, unitErr := unitOf(blocks[0][0])
	packets, radix, rowsErr := assemble(blocks, u, limit)
	switch firstWords(blocks, errors.Join(unitErr, rowsErr) == nil) {
	case areData:
		return Text{}, false, nil
	case areEither:
		return Text{Form: "hexadecimal", Weak: true}, true, errOffset
	}
	if err == nil {
		err = unitErr
	}
	if err == nil {
		err = rowsErr
	}
	return Text{Form: u.form(blocks[0][0], radix), Packets: packets}, true, err
}

// blocksOf returns the dumps in a text. Other lines may precede each of them, such as the
// lines of tcpdump. Another line within a dump is an error.
func blocksOf(text string) (blocks []block, err error) {
	var now block
	other := 0 // the line behind now, 0 if there is none
	end := func() {
		if slices.ContainsFunc(now, func(r row) bool { return r.rest != "" }) {
			blocks = append(blocks, now)
		}
		now, other = nil, 0
	}
	no := 0
	for line := range strings.SplitSeq(text, "\n") {
		no++
		r, ok := rowOf(no, line)
		switch {
		case strings.TrimSpace(line) == "", r.star && len(now) == 0:
		case !ok:
			other = no
		case len(now) > 0 && strings.Trim(r.offset, "0") == "" && r.rest != "":
			end()
			now = block{r}
		default:
			if len(now) > 0 && other > 0 && err == nil {
				err = fmt.Errorf("line %d: not a row, and the dump goes on behind it", other)
			}
			now, other = append(now, r), 0
		}
	}
	end()
	return blocks, err
}

// A meaning is the meaning of the first words of lines.
type meaning int

const (
	areData meaning = iota
	areOffsets
	areEither
)

// firstWords returns the meaning of the first words of lines. They are offsets if they
// cannot be data, if they count the bytes between them, or if they stand out among words of
// one byte.
func firstWords(blocks []block, count bool) meaning {
	wider := true
	rows := 0
	for _, b := range blocks {
		for _, r := range b {
			switch {
			case r.star || r.marked():
				return areOffsets
			case r.rest != "" && !isHex(r.first()):
				return areData
			case r.rest != "":
				wider = wider && len(r.first()) == 2
			}
			rows++
		}
	}
	zero := strings.Trim(blocks[0][0].offset, "0") == ""
	several := rows > len(blocks)
	switch {
	case several && count, wider && (several || zero):
		return areOffsets
	case !several && (wider || zero):
		return areEither
	}
	return areData
}

// A unit is the notation of the data of a row.
type unit struct {
	digits int // of a word; 0 for any even number of hexadecimal digits, in the order of the bytes
	base   int
	size   int // of a word in bytes, which are little-endian
}

// unitOf returns the unit of a row.
func unitOf(r row) (unit, error) {
	width := len(r.first())
	switch {
	case (r.prefix != "" || r.colon) && width%2 == 0:
		return unit{}, nil
	case width == 2:
		return unit{2, 16, 1}, nil
	case width == 3:
		return unit{3, 8, 1}, nil
	case width == 4:
		return unit{4, 16, 2}, nil
	case width == 6:
		return unit{6, 8, 2}, nil
	case width == 8:
		return unit{8, 16, 4}, nil
	}
	return unit{}, fmt.Errorf("line %d: a dump, but neither in hexadecimal nor in octal: "+
		"use od -t x1, xxd or hexdump -C", r.line)
}

// form names the program that prints such dumps, by the first row and the radix of its
// offsets.
func (u unit) form(r row, radix int) string {
	switch {
	case r.prefix != "":
		return "tcpdump -X"
	case u.size == 0:
		return "xxd"
	case u.size == 1 && strings.HasSuffix(r.rest, "|"):
		return "hexdump -C"
	case u.size == 1 && u.base == 16 && len(r.offset) == 4:
		return "a hex dump of Wireshark"
	case u.size == 1 && u.base == 16 && radix == 8:
		return "od -t x1"
	case u.size == 1 && u.base == 16:
		return "a hex dump with offsets"
	case u.size == 1:
		return "od -b"
	}
	name := "od"
	if radix == 16 && u.base == 16 {
		name = "hexdump"
	}
	return fmt.Sprintf("%s, little-endian words of %d bytes", name, u.size)
}

// assemble returns the bytes of dumps, and the radix of their offsets, which must agree
// with the rows.
func assemble(blocks []block, u unit, limit int) (packets [][]byte, radix int, err error) {
	radixes, sure := []int{16, 10}, true
	if len(blocks[0][0].offset) == 7 { // od, or perhaps hexdump if the words fit it
		radixes, sure = []int{8, 10}, u.size == 1 || u.base == 8
	}
	if !sure {
		radixes = []int{16, 8}
	}
	for _, try := range radixes {
		all, tryErr := assembleIn(try, blocks, u, limit)
		switch {
		case tryErr != nil:
			if err == nil {
				err = tryErr // of the usual radix
			}
		case radix == 0:
			packets, radix = all, try
		case !sure && !slices.EqualFunc(packets, all, bytes.Equal):
			return nil, 0, fmt.Errorf("the offsets may have radix %d or %d, and * stands for less or more", radix, try)
		}
	}
	if radix == 0 {
		return nil, radixes[0], err
	}
	return packets, radix, nil
}

// assembleIn returns the bytes of dumps whose offsets have a radix.
func assembleIn(radix int, blocks []block, u unit, limit int) (packets [][]byte, err error) {
	for _, b := range blocks {
		data, err := b.data(u, radix, limit)
		if err != nil {
			return nil, err
		}
		limit -= len(data)
		packets = append(packets, data)
	}
	return packets, nil
}

// data returns the bytes of a dump.
func (b block) data(u unit, radix, limit int) ([]byte, error) {
	offsets := make([]int, len(b))
	for i, r := range b {
		if r.star {
			continue
		}
		at, err := strconv.ParseInt(r.offset, radix, 32)
		if err != nil {
			return nil, fmt.Errorf("line %d: the offset %q is not of radix %d, or too large", r.line, r.offset, radix)
		}
		offsets[i] = int(at)
	}
	var all, last []byte
	for i, r := range b {
		if r.star {
			continue
		}
		at, end := offsets[i]-offsets[0], len(all)
		if i > 0 && b[i-1].star && at > end && at <= limit && (at-end)%max(len(last), 1) == 0 {
			all = append(all, bytes.Repeat(last, (at-end)/len(last))...)
			end = at
		}
		if padding := end - at; r.rest == "" && i == len(b)-1 && 0 < padding && padding < u.size {
			return all[:at], nil // the last word is only partly data
		}
		if at != end {
			return nil, fmt.Errorf("line %d: the offset says %d, but %d bytes are before it", r.line, at, end)
		}
		if r.rest == "" {
			if i < len(b)-1 {
				return nil, fmt.Errorf("line %d: no data", r.line)
			}
			break
		}
		want := 0 // unknown
		if i+1 < len(b) && !b[i+1].star {
			want = offsets[i+1] - offsets[i]
		}
		var err error
		last, err = u.data(r, want)
		if err != nil {
			return nil, err
		}
		all = append(all, last...)
		if len(all) > limit {
			return nil, fmt.Errorf("more than %d bytes", limit)
		}
	}
	return all, nil
}

// data returns the bytes of a row: as many as wanted, if that is not 0. Words behind them may
// be the text column, which has to agree.
func (u unit) data(r row, want int) ([]byte, error) {
	var data []byte
	var found [2][]byte // without and with a text column
	rest := r.rest
	for rest != "" {
		word, behind, _ := strings.Cut(rest, " ")
		b, ok := u.word(word)
		if !ok {
			break
		}
		data = append(data, b...)
		rest = strings.TrimPrefix(behind, " ") // and no more: the text may start with blanks
		if want > 0 && len(data) != want && !(u.size > 1 && len(data) == (want+u.size-1)/u.size*u.size) {
			rest = strings.TrimLeft(rest, " ")
			continue
		}
		with := 1
		if strings.TrimSpace(rest) == "" {
			with = 0
		}
		if with == 0 || agrees(rest, data) {
			if with == 1 && found[1] != nil {
				return nil, fmt.Errorf("line %d: cannot tell the bytes from the text behind them", r.line)
			}
			found[with] = slices.Clone(data)
		}
		rest = strings.TrimLeft(rest, " ")
	}
	switch {
	case found[1] != nil:
		return found[1], nil
	case found[0] != nil:
		return found[0], nil
	case want > 0 && len(data) < want && rest == "":
		return nil, fmt.Errorf("line %d: %d bytes, but %d up to the offset of the next row", r.line, len(data), want)
	}
	return nil, fmt.Errorf("line %d: damaged: what follows the offset are not bytes, and perhaps the same bytes as text",
		r.line)
}

// word returns the bytes of a word of a row.
func (u unit) word(s string) ([]byte, bool) {
	if u.size == 0 {
		b, err := decodeHex(s)
		return b, err == nil && len(b) > 0
	}
	n, err := strconv.ParseUint(s, u.base, 8*u.size)
	if err != nil || len(s) != u.digits {
		return nil, false
	}
	b := make([]byte, u.size)
	for i := range b {
		b[i] = byte(n >> (8 * i))
	}
	return b, true
}

// agrees reports whether a column is the text of data. Blanks at its ends can be lost, and
// all but printable ASCII can be anything.
func agrees(column string, data []byte) bool {
	column = strings.Trim(column, " ")
	if len(column) > utf8.UTFMax*(len(data)+2) {
		return false // the rest is not converted for each word
	}
	text := []rune(column)
	if n := len(text); n == len(data)+2 && (text[0] == '|' && text[n-1] == '|' || text[0] == '>' && text[n-1] == '<') {
		if same(text[1:n-1], data) {
			return true
		}
	}
	return same(text, data) || same(text, bytes.Trim(data, " ")) || same(text, bytes.Trim(data, " \x00"))
}

// same reports whether text is the text column of data.
func same(text []rune, data []byte) bool {
	if len(text) != len(data) {
		return false
	}
	for i, b := range data {
		r := text[i]
		if ' ' <= b && b <= '~' && rune(b) != r && (b != ' ' || r != '.') { // a blank of tcpdump
			return false
		}
	}
	return true
}
