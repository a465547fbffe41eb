package gamespy2

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Selector says which keys of a section a query asks for: none, which is the
// zero value, all with their names, or the values of listed keys. Selectors can
// be compared with ==.
type Selector struct {
	size uint8 // as on the wire: none, all, or how many ids follow
	ids  [MaxKeyIDs]uint8
}

// Values of Selector.size.
const (
	selectNone    = 0
	selectTooMany = MaxKeyIDs + 1 // more ids were given than fit
	selectAll     = math.MaxUint8
)

// All returns the Selector of all keys with their names.
func All() Selector { return Selector{size: selectAll} }

// Keys returns the Selector of listed keys. A request with more than
// [MaxKeyIDs] cannot be encoded.
func Keys(ids ...KeyID) Selector {
	var s Selector
	if len(ids) > MaxKeyIDs {
		s.size = selectTooMany
		return s
	}
	s.size = uint8(len(ids))
	for i, id := range ids {
		s.ids[i] = uint8(id)
	}
	return s
}

// IsNone tells whether nothing is asked for.
func (s Selector) IsNone() bool { return s.size == selectNone }

// IsAll tells whether all keys are asked for.
func (s Selector) IsAll() bool { return s.size == selectAll }

// Len returns how many keys are listed: 0 for none and for all.
func (s Selector) Len() int {
	if s.size > MaxKeyIDs {
		return 0
	}
	return int(s.size)
}

// ID returns a listed key; i is from 0 to Len()-1.
func (s Selector) ID(i int) KeyID { return KeyID(s.ids[i]) }

// String returns "none", "all" or, as an example, "1,6,5".
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

// MarshalText returns what String does.
func (s Selector) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText returns.
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

// decode reads a selector; at least after bytes of the request follow it.
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
		w.Fail(lobbywire.ErrTooLarge, field)
		return
	}
	w.Uint8(s.size)
	w.Bytes(s.ids[:s.Len()])
}
