package gamespy2

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Selector selects the keys of a section in a query: none, all, or listed keys. The zero
// Selector selects none. For all keys, a response contains names and values; for listed
// keys, only values. Selectors are comparable with ==.
type Selector struct {
	size uint8 // as on the wire: none, all, or the number of ids that follow
	ids  [maxKeyIDs]uint8
}

// Values of Selector.size.
const (
	selectNone    = 0
	selectTooMany = maxKeyIDs + 1 // Keys received more ids than fit
	selectAll     = math.MaxUint8
)

// maxKeyIDs is the number of key ids that fit one selector of a request of
// MaxRequest bytes.
const maxKeyIDs = MaxRequest - 10

// All returns the Selector of all keys.
func All() Selector { return Selector{size: selectAll} }

// Keys returns the Selector that lists keys. Encoding a request fails if one
// section lists more than 245.
func Keys(ids ...KeyID) Selector {
	var s Selector
	if len(ids) > maxKeyIDs {
		s.size = selectTooMany
		return s
	}
	s.size = uint8(len(ids))
	for i, id := range ids {
		s.ids[i] = uint8(id)
	}
	return s
}

// isNone reports whether s selects no key.
func (s *Selector) isNone() bool { return s.size == selectNone }

// Len returns the number of listed keys. It is 0 for none and for all.
func (s Selector) Len() int {
	if s.size > maxKeyIDs {
		return 0
	}
	return int(s.size)
}

// ID returns the listed key with the index i, from 0 to Len()-1.
func (s Selector) ID(i int) KeyID { return KeyID(s.ids[i]) }

// String returns "none", "all" or a list of ids such as "1,6,5".
func (s Selector) String() string {
	switch s.size {
	case selectNone:
		return "none"
	case selectAll:
		return "all"
	case selectTooMany:
		return "too many"
	}
	var b strings.Builder
	for i, id := range s.ids[:s.size] {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(int(id)))
	}
	return b.String()
}

// MarshalText returns the form of String.
func (s Selector) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the form that MarshalText returns.
func (s *Selector) UnmarshalText(text []byte) error {
	switch string(text) {
	case "none":
		*s = Selector{}
		return nil
	case "all":
		*s = All()
		return nil
	}
	var ids []KeyID
	for _, digits := range strings.Split(string(text), ",") {
		id, err := strconv.ParseUint(digits, 10, 8)
		if err != nil {
			return fmt.Errorf("%s: selector is not none, all or key ids: %w", proto, err)
		}
		ids = append(ids, KeyID(id))
	}
	*s = Keys(ids...)
	return nil
}

// decode reads a selector that is followed by at least after bytes of the request.
func (s *Selector) decode(r *wire.Reader, field string, after int) {
	at := r.Offset()
	s.size = r.Uint8(field)
	if s.size == selectNone || s.size == selectAll {
		return
	}
	n := r.Count(uint32(s.size), 1, MaxRequest-r.Offset()-after, field, at)
	copy(s.ids[:], r.Peek()[:n])
	r.Skip(n, field)
}

func (s *Selector) append(w *wire.Writer, field string) {
	if s.size == selectTooMany {
		w.Fail(wire.TooLarge("more keys than a selector has room for"), field)
		return
	}
	w.Uint8(s.size)
	w.Bytes(s.ids[:s.Len()])
}
