package wzproposal

import (
	"math"
	"net/netip"
	"strconv"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// fields reads or writes the fields of messages in either encoding, so that a message
// has one layout:
//
//	f.begin(commandOpenGame)
//	f.port(&m.Port)
//	f.nameAndMap(&m.Name, &m.Map, 1)
//	f.end()
//
// A field is a column of a line or a payload of a frame.
type fields struct {
	lineReader              // of the text encoding; its Reader serves both
	w          *wire.Writer // nil when reading
	e          Encoding

	left  int // unread bytes of the frame's message
	start int // length before the line is written, or offset of the frame's size
}

// reading returns the fields that r reads.
func reading(r *wire.Reader, o *Options) fields {
	return fields{lineReader: lineReader{r: r, o: o}, e: o.Encoding}
}

// reads reports whether fields are read, not written.
func (f *fields) reads() bool { return f.r != nil }

// in names the structure of the next fields, as [wire.Reader.In] does.
func (f *fields) in(name string, index int) {
	if f.reads() {
		f.r.In(name, index)
	} else {
		f.w.In(name, index)
	}
}

// offset returns the offset of the next field.
func (f *fields) offset() int {
	if f.reads() {
		return f.r.Offset()
	}
	return -1
}

// begin reads or writes the command. When reading, it refuses a command other than c.
func (f *fields) begin(c command) {
	switch {
	case f.reads() && f.e == Binary:
		at := f.r.Offset()
		if command(f.r.Uint8("command")) != c {
			f.r.Refuse("command", at, otherCommand)
		}
		f.left = int(f.r.Uint8("size"))
	case f.reads():
		f.readWord(c)
	case f.e == Binary:
		f.w.Uint8(uint8(c))
		f.start = f.w.Size(1)
	default:
		f.start = f.w.Len()
		if c != commandGame {
			f.w.Text(words[c])
		}
	}
}

// end ends the line or frame. When reading, it refuses further fields.
func (f *fields) end() {
	switch {
	case f.reads():
		if f.hasMore() {
			f.r.Fail(lobbywire.ErrTrailing, "", f.r.Offset())
		}
		if f.e != Binary {
			f.endLine()
		}
	case f.e == Binary:
		f.w.SetSize(f.start, 1, "size")
	default:
		f.w.Uint8('\n')
		if size := f.w.Len() - f.start; size > MaxLine {
			f.w.Exceed("", size, MaxLine)
		}
	}
}

// peek returns the command of the next line or frame, 0 if it is unknown.
func (f *fields) peek() command {
	if f.e != Binary {
		return f.peekWord()
	}
	p := f.r.Peek()
	if len(p) == 0 {
		return 0
	}
	return command(p[0])
}

// find returns the size of the next field, and the sizes of the size or separator
// before and after it.
func (f *fields) find(field string, c column) (before, n, after int) {
	if f.e != Binary {
		n, after = f.findColumn(field, c)
		return 0, n, after
	}
	switch p := f.r.Peek(); {
	case len(p) > 0 && int(p[0]) < f.left:
		n = int(p[0])
		f.left -= 1 + n
	case len(p) > 0 || f.left == 0: // whatever bytes follow
		f.r.Refuse(field, f.r.Offset(), "missing, or longer than its frame")
	default:
		f.r.Fail(lobbywire.ErrTruncated, field, f.r.Offset())
	}
	return 1, n, 0
}

// put writes a field unchanged.
func (f *fields) put(field, s string) {
	sep := byte('\t')
	if f.e == Binary {
		if len(s) > MaxPayload {
			f.w.Exceed(field, len(s), MaxPayload)
			return
		}
		sep = byte(len(s))
	}
	f.w.TextAfter(sep, s)
}

// text reads or writes a field of text.
func (f *fields) text(field string, c column, v *string) {
	if f.reads() {
		*v = f.readText(field, c)
		return
	}
	if !isText(*v) && !f.isPayload(c) {
		f.w.Refuse(field, notText)
	}
	f.put(field, *v)
}

func (f *fields) readText(field string, c column) string {
	at := f.r.Offset()
	before, n, after := f.find(field, c)
	s := f.r.TextWithin(before, n, after, field)
	if f.o.Strict && !isText(s) && !f.isPayload(c) {
		f.r.Refuse(field, at, notText)
	}
	return s
}

// isPayload reports whether a field may contain any bytes, because it is a payload of a
// [Frame].
func (f *fields) isPayload(c column) bool { return f.e == Binary && c == columnAny }

// nameAndMap reads or writes two fields of text. words is the number of fields after them:
// numbers and a status.
func (f *fields) nameAndMap(name, mapName *string, words int) {
	f.words = words
	f.text("name", columnName, name)
	f.text("map", columnMap, mapName)
}

// optional reads or writes the last field, a text that may be missing. An empty one is not
// written.
func (f *fields) optional(field string, v *string) {
	if f.reads() && f.hasMore() || !f.reads() && *v != "" {
		f.text(field, columnLast, v)
	}
}

// hasMore reports whether another field can be read.
func (f *fields) hasMore() bool {
	if f.e == Binary {
		return f.left > 0
	}
	return f.more
}

// number reads or writes a field of decimal digits.
func (f *fields) number(field string, v *uint32) {
	if f.reads() {
		*v = f.readNumber(field, 0, math.MaxUint32)
		return
	}
	b := append(f.w.Buffer(), '\t')
	at := len(b)
	b = strconv.AppendUint(b, uint64(*v), 10)
	if f.e == Binary {
		b[at-1] = byte(len(b) - at)
	}
	f.w.SetBuffer(b)
}

// port reads or writes a field with a TCP port, which is not 0.
func (f *fields) port(v *uint16) {
	if f.reads() {
		*v = uint16(f.readNumber("port", 1, math.MaxUint16))
		return
	}
	if *v == 0 {
		f.w.Refuse("port", "is 0")
	}
	n := uint32(*v)
	f.number("port", &n)
}

func (f *fields) readNumber(field string, least, most uint32) uint32 {
	at := f.r.Offset()
	before, n, after := f.find(field, columnWord)
	v, ok := parseNumber(f.r.ViewWithin(before, n, after, field), most, f.o.Strict)
	if !ok || v < least {
		f.r.Fail(wire.Outside(int(least), int(most)), field, at)
	}
	return v
}

// parseNumber reads decimal digits, without leading zeros if strict.
func parseNumber(p []byte, most uint32, strict bool) (v uint32, ok bool) {
	if len(p) == 0 || strict && len(p) > 1 && p[0] == '0' {
		return 0, false
	}
	var sum uint64
	for _, c := range p {
		sum = 10*sum + uint64(c-'0')
		if c < '0' || c > '9' || sum > uint64(most) {
			return 0, false
		}
	}
	return uint32(sum), true
}

// ip reads or writes the first field of a game, an IP address, which no separator precedes
// in a line.
func (f *fields) ip(v *netip.Addr) {
	if f.reads() {
		at := f.r.Offset()
		s := f.readText("ip", columnWord)
		ip, err := netip.ParseAddr(s)
		if err != nil || f.o.Strict && ip.String() != s {
			f.r.Refuse("ip", at, notAddress)
		}
		*v = ip
		return
	}
	if !v.IsValid() || !isText(v.Zone()) {
		f.w.Refuse("ip", notAddress)
	}
	if f.e != Binary {
		f.w.Addr(*v)
		return
	}
	at := f.w.Size(1)
	f.w.Addr(*v)
	f.w.SetSize(at, 1, "ip")
}

// status reads or writes a field with a status, and converts it to lower case when reading.
func (f *fields) status(v *Status) {
	if f.reads() {
		at := f.r.Offset()
		s := f.readText("status", columnWord)
		if f.o.Strict && !Status(s).valid() {
			f.r.Refuse("status", at, notStatus)
		}
		*v = Status(s).lower()
		return
	}
	if !v.valid() {
		f.w.Refuse("status", notStatus)
	}
	f.put("status", string(*v))
}

// Reasons for refusing a value.
const (
	notText    = "is not UTF-8, or has a TAB, a line break or a zero byte"
	notWord    = "is not a word"
	notAddress = "is not an IP address"
	notStatus  = "is not a word in lower case"
)

// isText reports whether s can be a column: UTF-8 without TAB, LF, CR and NUL.
func isText(s string) bool {
	beyondASCII := false
	for i := range len(s) {
		switch c := s[i]; {
		case '\r' < c && c < utf8.RuneSelf: // nearly always
		case c >= utf8.RuneSelf:
			beyondASCII = true
		case c == 0, c == '\t', c == '\n', c == '\r':
			return false
		}
	}
	return !beyondASCII || utf8.ValidString(s)
}
