package gamespy2

import (
	"bytes"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// An infoReader reads the section info, which is the same in both forms of a response.
type infoReader struct {
	o     Options
	plain bool     // the response has the plain form
	stat  []string // of a full stat of Minecraft, the keys that may follow

	list   []KeyValue
	uneven bool     // a key lacks a value, so other values may be misplaced
	unsure KeyValue // the last pair, if it may be cut; it is not in the list
}

// read reads keys and values and the zero byte after them, in a packet with an ending. It
// reports whether the zero byte was there.
func (i *infoReader) read(r *wire.Reader, end *ending) (ended bool) {
	if i.list == nil {
		i.list = make([]KeyValue, 0, r.CountPairs())
	}
	for r.Len() > 0 {
		if r.Peek()[0] == 0 {
			i.readEnd(r)
			return true
		}
		r.In("info", len(i.list))
		if end.isInText(r) {
			end.skipText(r)
			return false
		}
		key := i.readKey(r)
		if i.endsAfterKey(r.Peek(), end) {
			if i.o.Strict && !i.plain && mayBeValue(r.Peek()) {
				r.Fail(lobbywire.ErrTruncated, "value", r.Offset())
			}
			if i.o.Strict {
				r.Refuse("value", r.Offset(), "missing")
			}
			i.uneven = true
			i.readEnd(r)
			return true
		}
		value := ""
		switch {
		case !i.lacksValue(r.Peek()):
			if end.isInText(r) {
				end.skipText(r)
				return false
			}
			value = i.readValue(r, key)
		case i.o.Strict:
			r.Refuse("value", r.Offset(), "missing")
		}
		if r.Failed() {
			return false
		}
		if end.isUnsure(r) {
			i.unsure = KeyValue{key, value}
			break
		}
		i.list = append(i.list, KeyValue{key, value})
	}
	r.In("info", -1)
	end.miss(r)
	return false
}

func (i *infoReader) readEnd(r *wire.Reader) {
	r.In("info", -1)
	r.Uint8("end")
}

func (i *infoReader) readKey(r *wire.Reader) string {
	at := r.Offset()
	key := r.Text0("key")
	if i.o.Strict && len(key) > MaxName {
		r.Exceed("key", at, len(key), MaxName)
	}
	return key
}

// readValue reads the value of a key. The values of known keys of Minecraft may contain
// zero bytes.
func (i *infoReader) readValue(r *wire.Reader, key string) string {
	at := slices.Index(i.stat, key)
	if at < 0 {
		return r.Text0("value")
	}
	i.stat = i.stat[at+1:]
	p := r.Peek()
	n := minecraftValue(p, key, i.stat, i.o.Strict)
	if n == bytes.IndexByte(p, 0) {
		return r.Text0("value")
	}
	if i.o.Strict {
		r.Refuse("value", r.Offset(), "contains a zero byte")
	}
	return r.TextWithin(0, n, 1, "value")
}

// endsAfterKey reports whether p, the bytes after a key, starts with the end of info
// instead of a value: the number of texts is odd.
func (i *infoReader) endsAfterKey(p []byte, end *ending) bool {
	if len(p) < 2 || p[0] != 0 {
		return false
	}
	if i.plain {
		return p[1] == 0 && len(p) > 3 && bytes.HasPrefix(p[3:], []byte(playerColumn+"\x00"))
	}
	if end.isCut() && mayBeValue(p) {
		return false
	}
	return startsSection(p[1:], !end.isCut())
}

// mayBeValue reports whether p, the bytes after a key, may start with an empty value if
// more bytes follow: it does not yet contain a whole column after the end of info and the
// byte of a section.
func mayBeValue(p []byte) bool {
	name, rest, ok := bytes.Cut(p[2:], []byte{0})
	return !ok || len(name) > 0 && len(rest) == 0
}

// lacksValue reports whether p, the bytes after a key, starts with the next key
// instead of a value. In split form, GameSpy's code omits a value that the game
// does not set. Unreal Tournament 3 does not set some properties. Their keys look
// like p268435999.
func (i *infoReader) lacksValue(p []byte) bool {
	if i.plain {
		return false
	}
	n := property(p)
	return n > 0 && n < len(p) && p[n] == 0
}

// propertyDigits is the number of digits of the shortest property of Unreal
// Tournament 3. The numbers start at 0x10000001.
const propertyDigits = 9

// property returns the length of the property that p starts with, or 0.
func property[T string | []byte](p T) int {
	if len(p) == 0 || p[0] != 'p' {
		return 0
	}
	n := 1
	for n < len(p) && p[n] >= '0' && p[n] <= '9' {
		n++
	}
	if n <= propertyDigits {
		return 0
	}
	return n
}

// appendInfo appends keys and values and the zero byte after them.
func appendInfo(b []byte, list []KeyValue) []byte {
	for _, kv := range list {
		b = append(b, kv.Key...)
		b = append(b, 0)
		b = append(b, kv.Value...)
		b = append(b, 0)
	}
	return append(b, 0)
}
