package wire

// skip skips the value at the cursor. depth is the number of arrays and objects
// around it, within the value that is being read.
func (j *JSON) skip(depth int) bool {
	r := j.r
	switch j.space() {
	case '"':
		_, ok := j.scanString(j.at)
		return ok
	case '{':
		return j.skipElements('}', badObject, depth+1)
	case '[':
		return j.skipElements(']', badArray, depth+1)
	case 't':
		return j.word("true")
	case 'f':
		return j.word("false")
	case 'n':
		return j.word("null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		n, kind := scanNumber(r.Peek())
		if kind != nil {
			j.fail(kind, j.at)
			return false
		}
		r.off += n
		return true
	}
	j.unexpected(j.at, "is not JSON")
	return false
}

// Reasons for objects and arrays with other punctuation.
const (
	badObject = "has no comma, colon or quote where JSON has one"
	badArray  = "has no comma or bracket behind an element"
)

// skipElements skips an array or an object, whose first bracket is at the cursor.
func (j *JSON) skipElements(end byte, bad Invalid, depth int) bool {
	j.r.off++
	if depth > MaxJSONDepth {
		j.fail(TooLarge("is nested too deep"), j.at)
		return false
	}
	if j.space() == end {
		j.r.off++
		return true
	}
	var names nameSet
	for {
		if end == '}' && !j.skipName(&names) || !j.skip(depth) {
			return false
		}
		switch j.space() {
		case ',':
			j.r.off++
		case end:
			j.r.off++
			return true
		default:
			j.unexpected(j.at, bad)
			return false
		}
	}
}

// skipName skips the name of a member and the colon after it.
func (j *JSON) skipName(names *nameSet) bool {
	if j.space() != '"' {
		j.unexpected(j.at, badObject)
		return false
	}
	name, ok := j.text(j.at)
	switch {
	case !ok:
		return false
	case !names.add(name):
		j.Refuse("has a member twice")
		return false
	case j.space() != ':':
		j.unexpected(j.at, badObject)
		return false
	}
	j.r.off++
	return true
}

// A nameSet holds the names of the members so far. Most objects have few.
type nameSet struct {
	few  [8]string
	n    int
	many map[string]bool // the rest
}

// add adds name and reports whether it is new.
func (s *nameSet) add(name string) bool {
	for _, old := range s.few[:s.n] {
		if old == name {
			return false
		}
	}
	if s.n < len(s.few) {
		s.few[s.n] = name
		s.n++
		return true
	}
	if s.many[name] {
		return false
	}
	if s.many == nil {
		s.many = make(map[string]bool)
	}
	s.many[name] = true
	return true
}
