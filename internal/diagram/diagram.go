package diagram

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A layout is a diagram, ready to be compared.
type layout struct {
	types    []string // what it is for
	part     bool     // of a message
	elements []element
	sample   *regexp.Regexp // in place of elements
	text     string         // for messages
}

// block reads preformatted text: diagrams with empty lines between them. In the
// comment of a type they are for it; elsewhere they say themselves what for.
func block(text, typ string) ([]layout, error) {
	var all []layout
	for part := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		lines := strings.Split(part, "\n")
		found, err := diagrams(lines, typ)
		if err != nil {
			return nil, err
		}
		for _, l := range found {
			if typ != "" {
				l.types = []string{typ}
			}
			if len(l.types) == 0 {
				return nil, fmt.Errorf("no type is named for %q", part)
			}
			if l.text == "" {
				l.text = lines[0]
			}
			all = append(all, l)
		}
	}
	return all, nil
}

// diagrams reads one part of a block.
func diagrams(lines []string, typ string) ([]layout, error) {
	if i := slices.IndexFunc(lines, isBorder); i >= 0 {
		return boxes(lines, i)
	}
	title, isPart := strings.CutSuffix(lines[0], ":")
	if isPart || len(lines) > 1 && isTable(lines[1]) {
		lines = lines[1:]
	} else {
		title = ""
	}
	l := layout{types: typesIn(title), part: isPart}
	var err error
	switch {
	case isTable(lines[0]):
		l.elements, err = table(lines)
	case typ == "" && strings.HasPrefix(lines[len(lines)-1], "end "):
		return matrix(lines)
	case typ == "" && !isPart:
		return titledLines(lines)
	default:
		err = l.addLine(strings.Join(lines, "\n"))
	}
	return []layout{l}, err
}

// titledLines reads lines that each have a type in front. Lines that start with
// a blank continue the one before.
func titledLines(lines []string) (all []layout, err error) {
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && strings.HasPrefix(lines[n], " ") {
			n++
		}
		typ, text, _ := strings.Cut(strings.Join(lines[:n], "\n"), " ")
		l := layout{types: typesIn(typ), text: typ}
		if err := l.addLine(text); err != nil {
			return nil, err
		}
		all = append(all, l)
		lines = lines[n:]
	}
	return all, nil
}

// addLine reads a line of words or a sample.
func (l *layout) addLine(text string) (err error) {
	if isSample(strings.TrimSpace(text)) {
		l.sample = sample(text)
		return nil
	}
	l.elements, err = elementsOf(text)
	return err
}

// typesIn returns the types that a title names: the words that start with a
// capital letter, as "Challenge" in "Challenge, little-endian".
func typesIn(title string) []string {
	var types []string
	for word := range strings.FieldsFuncSeq(title, func(r rune) bool { return strings.ContainsRune(",; ", r) }) {
		if unicode.IsUpper(rune(word[0])) {
			types = append(types, word)
		}
	}
	return types
}

var (
	sampleStart   = regexp.MustCompile(`^(\\|\{|0;|"[a-z]+":)`)
	omittedValue  = regexp.MustCompile(`:\\\.\\\.\\\.`)
	omittedOthers = regexp.MustCompile(`,?\\\.\\\.\\\.`)
)

// isSample tells whether text is a sample.
func isSample(text string) bool { return sampleStart.MatchString(text) }

// sample returns what data with a sample has. Line breaks and the blanks after
// them are not in it.
func sample(text string) *regexp.Regexp {
	var joined strings.Builder
	for line := range strings.Lines(text) {
		joined.WriteString(strings.TrimSpace(line))
	}
	pattern := regexp.QuoteMeta(joined.String())
	pattern = omittedValue.ReplaceAllLiteralString(pattern, `:("[^"]*"|[^",{}\[\]]+)`)
	pattern = omittedOthers.ReplaceAllLiteralString(pattern, `.*`)
	return regexp.MustCompile(`(?s)` + pattern)
}
