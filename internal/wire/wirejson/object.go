package wirejson

import (
	"encoding/json"
	"math/bits"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// An Object is read member by member:
//
//	o := j.Object(names, 0b1, &v.Extra)
//	for o.Next() {
//		switch o.Index() {
//		case 0: // x
//			v.X = j.Int(0, 9, true)
//	...
//
// Each known member must be read before the next call of Next. A loose Reader can return a
// member again, to replace the value that was read before.
type Object struct {
	j        *Reader
	known    []string // the names of the known members
	extra    *map[string]json.RawMessage
	required uint32 // sets of the known members, by index
	seen     uint32
	next     int // the first known member that is expected next
	started  bool
}

// Object starts reading an object with the known members, at most 32. Bit i of
// required is set if the member known[i] has to be there. Unknown members are
// added to the map at extra, which is made if necessary; they are dropped if
// extra is nil.
func (j *Reader) Object(known []string, required uint32, extra *map[string]json.RawMessage) Object {
	if j.begin() != '{' {
		j.unexpected(j.at, "is not an object")
		return Object{j: j}
	}
	j.r.Advance(1)
	j.push(step{known: known, index: -1})
	return Object{j: j, known: known, extra: extra, required: required}
}

// Index returns which of the known members comes next.
func (o *Object) Index() int { return o.j.step().index }

// Next goes to the next known member and reports whether there is one.
func (o *Object) Next() bool { return o.inOrder() || o.search() }

// inOrder goes to the next member and reports true if it is written as most programs do:
// in the order of the known members, without white space and escapes.
func (o *Object) inOrder() bool {
	r := o.j.r
	rest := r.Peek()
	if o.started {
		if len(rest) == 0 || rest[0] != ',' {
			return false
		}
		rest = rest[1:]
	}
	for i := o.next; i < len(o.known); i++ {
		n := nameSize(rest, o.known[i])
		if n == 0 {
			continue
		}
		if o.seen&(1<<i) != 0 {
			return false
		}
		r.Advance(r.Len() - len(rest) + n)
		o.take(i)
		return true
	}
	return false
}

// nameSize returns the size of the quoted name and the colon after it if p starts with
// them, else 0.
func nameSize(p []byte, name string) int {
	n := len(name) + len(`"":`)
	if len(p) < n || p[0] != '"' || p[n-2] != '"' || p[n-1] != ':' || string(p[1:n-2]) != name {
		return 0
	}
	return n
}

// take makes the known member i the current one.
func (o *Object) take(i int) {
	o.j.step().index = i
	o.started = true
	o.seen |= 1 << i
	o.next = i + 1
}

// search is Next for a member in any form and order.
func (o *Object) search() bool {
	j := o.j
	r := j.r
	for !r.Failed() {
		step := j.step()
		step.index = -1
		c := j.r.SkipSpace()
		if c == '}' {
			o.end(step)
			return false
		}
		if o.started {
			if c != ',' {
				break
			}
			r.Advance(1)
			c = j.r.SkipSpace()
		}
		o.started = true
		if c != '"' {
			break
		}
		at := r.Offset()
		key := j.view()
		if r.Failed() {
			return false
		}
		i := o.index(key)
		step.index = i
		if j.r.SkipSpace() != ':' {
			break
		}
		r.Advance(1)
		if i == len(o.known) {
			o.keep(key, at)
			continue
		}
		if o.seen&(1<<i) != 0 {
			if !j.loose {
				j.fail(wire.Invalid("appears twice"), at)
				return false
			}
			j.repeated = true
		}
		o.take(i)
		return true
	}
	j.unexpected(r.Offset(), badObject)
	return false
}

// index returns the index of key among the known members, or their number if it is not
// there.
func (o *Object) index(key []byte) int {
	for i, name := range o.known {
		if name == string(key) {
			return i
		}
	}
	return len(o.known)
}

// keep reads an unknown member, whose name starts at offset at.
func (o *Object) keep(name []byte, at int) {
	if o.extra == nil {
		o.j.Skip()
		return
	}
	if _, dup := (*o.extra)[string(name)]; dup && !o.j.loose {
		o.j.fail(wire.Invalid("appears twice"), at)
		return
	}
	raw := o.j.Raw()
	if o.j.r.Failed() {
		return
	}
	if *o.extra == nil {
		*o.extra = make(map[string]json.RawMessage)
	}
	(*o.extra)[string(name)] = raw
}

// end reads the closing brace. A missing member fails there.
func (o *Object) end(step *step) {
	if missing := o.required &^ o.seen; missing != 0 {
		step.index = bits.TrailingZeros32(missing)
		o.j.fail(wire.Invalid("missing"), o.j.r.Offset())
		return
	}
	o.j.r.Advance(1)
	o.j.n--
}

// Set applies a member of a change: it copies *p to *v. If p is nil, v keeps its value.
func Set[T any](v, p *T) {
	if p != nil {
		*v = *p
	}
}
