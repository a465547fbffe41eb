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
		return j.skipObject(depth + 1)
	case '[':
		return j.skipArray(depth + 1)
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

// badObject is the reason for an object with other punctuation.
const badObject = "has no comma, colon or quote where JSON has one"

// enter skips a bracket and fails if the nesting is too deep.
func (j *JSON) enter(depth int) bool {
	j.r.off++
	if depth > MaxJSONDepth {
		j.fail(TooLarge("is nested too deep"), j.at)
		return false
	}
	return true
}

func (j *JSON) skipArray(depth int) bool {
	if !j.enter(depth) {
		return false
	}
	if j.space() == ']' {
		j.r.off++
		return true
	}
	for j.skip(depth) {
		switch j.space() {
		case ',':
			j.r.off++
		case ']':
			j.r.off++
			return true
		default:
			j.unexpected(j.at, "has no comma or bracket behind an element")
			return false
		}
	}
	return false
}

func (j *JSON) skipObject(depth int) bool {
	if !j.enter(depth) {
		return false
	}
	if j.space() == '}' {
		j.r.off++
		return true
	}
	var names nameSet
	for {
		if j.space() != '"' {
			break
		}
		name, ok := j.text(j.at)
		if !ok {
			return false
		}
		if !names.add(name) {
			j.Refuse("has a member twice")
			return false
		}
		if j.space() != ':' {
			break
		}
		j.r.off++
		if !j.skip(depth) {
			return false
		}
		switch j.space() {
		case ',':
			j.r.off++
			continue
		case '}':
			j.r.off++
			return true
		}
		break
	}
	j.unexpected(j.at, badObject)
	return false
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
