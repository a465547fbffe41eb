package wirejson

import (
	"bytes"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// An Array is read element by element. Each element must be read before the next
// call of Next.
type Array struct {
	j     *Reader
	at    int // its offset
	n     int // elements so far
	depth int // of the path, for LeaveOut
	start wire.Mark
	none  bool // null stands in its place
}

// Array starts reading an array.
func (j *Reader) Array() Array {
	if j.begin() != '[' {
		j.unexpected(j.at, "is not an array")
		return Array{j: j}
	}
	j.r.Advance(1)
	j.push(step{array: true, index: -1})
	return Array{j: j, at: j.at, depth: j.n}
}

// ArrayOrNull starts reading an array. Unless strict is set, null is an empty array.
func (j *Reader) ArrayOrNull(strict bool) Array {
	if strict || j.Peek() != 'n' {
		return j.Array()
	}
	j.Null()
	return Array{j: j, none: true}
}

// Room returns the maximum number of elements that can follow if they are objects
// of at least size bytes. Callers may allocate by the result. It is 0 once a name has
// repeated: if each of many arrays had room for the rest of the input, memory would grow
// with the square of its size.
func (a *Array) Room(size int) int {
	if a.j.repeated || a.none {
		return 0
	}
	p := a.j.r.Peek()
	return min(bytes.Count(p, []byte{'{'}), len(p)/size)
}

// Fail fails the array, after all its elements have been read.
func (a *Array) Fail(kind error) { a.j.fail(kind, a.at) }

// Next goes to the next element and reports whether there is one.
func (a *Array) Next() bool {
	j := a.j
	if j.r.Failed() || a.none {
		return false
	}
	j.step().index = -1
	switch c := j.r.SkipSpace(); {
	case c == ']':
		j.r.Advance(1)
		j.n--
		return false
	case a.n > 0 && c != ',':
		j.unexpected(j.r.Offset(), badArray)
		return false
	case a.n > 0:
		j.r.Advance(1)
	}
	j.step().index = a.n
	a.n++
	a.start = j.r.Mark()
	return true
}

// LeaveOut reports whether reading the element has failed although the element is complete.
// Then it skips the element, so the next one can be read. Brackets and quotes show where an
// element ends, so an element with unmatched ones cannot be left out.
func (a *Array) LeaveOut() bool {
	j := a.j
	if !j.r.Failed() || j.r.Truncated() {
		return false
	}
	failure := j.r.Err("")
	j.r.Return(a.start)
	j.n = a.depth
	j.begin()
	j.skipUnchecked()
	if j.r.Explaining() {
		j.note("left out: " + failure.Error())
	}
	return !j.r.Failed()
}
