package diagram

import (
	"fmt"
	"regexp"
	"strconv"
)

// A kind says what an element stands for.
type kind int

const (
	named    kind = iota // the field or fields of a name
	constant             // bytes
	rest                 // any fields
	group                // elements that may be missing or come again
	mark                 // nothing: a place with an offset
)

// An element is a piece of a diagram.
type element struct {
	kind    kind
	text    string // as it stands in the diagram
	value   value  // of a constant, or nil
	offset  int    // from the start of the diagram; -1: not said
	size    int    // in bytes; -1: not said
	within  []element
	repeats bool // the group comes any number of times
}

// A value is bytes that an example must have: a byte each, or digits.
type value []int

// digits stands in a value for one decimal digit or more.
const digits = -1

// match returns how many bytes at the start of b are v, -1 if b does not start
// with it.
func (v value) match(b []byte) int {
	n := 0
	for _, want := range v {
		from := n
		for want == digits && n < len(b) && '0' <= b[n] && b[n] <= '9' {
			n++
		}
		if want != digits && n < len(b) && int(b[n]) == want {
			n++
		}
		if n == from {
			return -1
		}
	}
	return n
}

var (
	nameWord  = regexp.MustCompile(`^[a-z][A-Za-z0-9.]*$`)
	hexWord   = regexp.MustCompile(`^[0-9A-F]{2}$`)
	capitals  = regexp.MustCompile(`^[A-Z]{2,}$`)
	splitWord = regexp.MustCompile(`"[^"]*"|'[^']*'|\]\.\.\.|[\[\]]|\.\.\.|[^\s\[\]]+`)
)

// elementsOf reads the words of a cell, a row or a line.
func elementsOf(text string) ([]element, error) {
	all, left, err := readWords(splitWord.FindAllString(text, -1), false)
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("%q: a bracket lacks its other", text)
	}
	return all, err
}

// readWords reads words up to the end of the group that they are in, if any.
func readWords(words []string, inGroup bool) (all []element, left []string, err error) {
	for len(words) > 0 {
		word := words[0]
		switch {
		case word == "[":
			within, after, err := readWords(words[1:], true)
			if err != nil {
				return nil, nil, err
			}
			if len(after) == 0 {
				return nil, nil, fmt.Errorf("a bracket lacks its other")
			}
			all = append(all, element{kind: group, text: word, offset: -1, size: -1, within: within, repeats: after[0] == "]..."})
			words = after[1:]
		case inGroup && word[0] == ']':
			return all, words, nil
		default:
			e, err := wordElement(word)
			if err != nil {
				return nil, nil, err
			}
			all = append(all, e)
			words = words[1:]
		}
	}
	return all, nil, nil
}

func wordElement(word string) (element, error) {
	e := element{kind: constant, text: word, offset: -1, size: -1, value: constantValue(word)}
	switch {
	case e.value != nil:
	case word == "...":
		e.kind = rest
	case nameWord.MatchString(word):
		e.kind = named
	default:
		return element{}, fmt.Errorf("%q is no word of a diagram", word)
	}
	return e, nil
}

// constantValue returns the bytes that a word stands for, nil if it is no constant.
func constantValue(word string) value {
	quoted := len(word) > 2 && (word[0] == '"' || word[0] == '\'')
	switch {
	case word == "TAB":
		return value{'\t'}
	case word == "LF":
		return value{'\n'}
	case hexWord.MatchString(word):
		n, err := strconv.ParseUint(word, 16, 8)
		if err != nil {
			return nil
		}
		return value{int(n)}
	case quoted:
		word = word[1 : len(word)-1]
	case !capitals.MatchString(word):
		return nil
	}
	var v value
	for _, c := range []byte(word) {
		if c == '#' && quoted {
			v = append(v, digits)
		} else {
			v = append(v, int(c))
		}
	}
	return v
}

// remarkValue returns what the bytes of a field are by its remark: constants, or
// a big-endian number in so many bytes. It is nil if the remark is another one.
func remarkValue(remark string, size int) value {
	var v value
	for _, word := range splitWord.FindAllString(remark, -1) {
		c := constantValue(word)
		if n, err := strconv.Atoi(word); c == nil && err == nil {
			for i := range size {
				c = append(c, n>>(8*(size-1-i))&0xff)
			}
		}
		if c == nil {
			return nil
		}
		v = append(v, c...)
	}
	return v
}
