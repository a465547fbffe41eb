package wirejson

import "bytes"

// An Array is read element by element. Each element must be read before the next
// call of Next.
type Array struct {
	j  *Reader
	at int // its offset
	n  int // elements so far
}

// Array starts reading an array.
func (j *Reader) Array() Array {
	if j.begin() != '[' {
		j.unexpected(j.at, "is not an array")
		return Array{j: j}
	}
	j.r.Advance(1)
	j.push(step{array: true, index: -1})
	return Array{j: j, at: j.at}
}

// Room returns the maximum number of elements that can follow if they are objects
// of at least size bytes. Callers may allocate by the result. It is 0 once a name has
// repeated: if each of many arrays had room for the rest of the input, memory would grow
// with the square of its size.
func (a *Array) Room(size int) int {
	if a.j.repeated {
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
	if j.r.Failed() {
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
	return true
}
