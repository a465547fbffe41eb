package diagram

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A column is a cell of a border: from one '+' to the next, or to the end of
// the line.
type column struct {
	from, to int
	optional bool
	open     bool // there is no '+' at the end
}

var number = regexp.MustCompile(`\d+`)

// isBorder tells whether a line is the border of boxes.
func isBorder(line string) bool {
	return strings.HasPrefix(line, "+") && strings.Trim(line, "+- ") == ""
}

// boxes reads the boxes whose border is the line lines[at].
func boxes(lines []string, at int) ([]layout, error) {
	if at+1 == len(lines) || !strings.HasPrefix(lines[at+1], "|") {
		return nil, fmt.Errorf("no cells below %q", lines[at])
	}
	titles, ruler := "", ""
	if above := lines[:at]; len(above) > 0 {
		titles = above[0]
		if last := above[len(above)-1]; strings.Trim(last, " 0123456789") == "" {
			ruler = last
		}
	}
	offsets, err := readRuler(ruler, lines[at])
	if err != nil {
		return nil, err
	}
	var all []layout
	for _, cells := range columnsOf(lines[at]) {
		left, right := cells[0].from, cells[len(cells)-1].to
		l := layout{types: typesIn(cut(titles, left, right+gap(lines[at], right)))}
		for _, c := range cells {
			if err := l.addCell(lines[at+1], c, offsets); err != nil {
				return nil, err
			}
		}
		if offset, ok := offsets[right]; ok {
			l.elements = append(l.elements, element{kind: mark, text: "end", offset: offset, size: -1})
		}
		all = append(all, l)
	}
	return all, nil
}

// gap returns how many blanks a border has from an offset on.
func gap(border string, at int) int {
	after := cut(border, at+1, len(border))
	return len(after) - len(strings.TrimLeft(after, " "))
}

// readRuler returns the offsets by the place of the '+' that they stand above,
// one to the right.
func readRuler(ruler, border string) (map[int]int, error) {
	offsets := map[int]int{}
	for _, m := range number.FindAllStringIndex(ruler, -1) {
		n, err := strconv.Atoi(ruler[m[0]:m[1]])
		if err != nil {
			return nil, err
		}
		if cut(border, m[0]-1, m[0]) != "+" {
			return nil, fmt.Errorf("offset %d does not stand above the start of a cell", n)
		}
		offsets[m[0]-1] = n
	}
	return offsets, nil
}

// columnsOf returns the cells of each box of a border.
func columnsOf(border string) [][]column {
	var all [][]column
	var box []column
	for from := 0; from >= 0; {
		to := strings.IndexByte(border[from+1:], '+') + from + 1
		c := column{from: from, to: to}
		if to == from {
			c.to, c.open, to = len(border), true, -1
		}
		inner := border[from+1 : c.to]
		c.optional = strings.Contains(inner, " ")
		if strings.Contains(inner, "-") {
			box = append(box, c)
		} else {
			all, box = append(all, box), nil
		}
		from = to
	}
	return slices.DeleteFunc(append(all, box), func(b []column) bool { return len(b) == 0 })
}

// addCell adds what the line of cells has in a column.
func (l *layout) addCell(line string, c column, offsets map[int]int) error {
	if cut(line, c.from, c.from+1) != "|" {
		return fmt.Errorf("cells %q do not stand below their border", line)
	}
	text := cut(line, c.from+1, c.to)
	if strings.Contains(text, "|") {
		return fmt.Errorf("cells %q do not stand below their border", line)
	}
	within, err := elementsOf(text)
	if err != nil {
		return err
	}
	if len(within) == 0 && !c.open {
		return fmt.Errorf("%q has an empty cell", line)
	}
	if c.open && (len(within) == 0 || within[len(within)-1].kind != rest) {
		within = append(within, element{kind: rest, text: "...", offset: -1, size: -1})
	}
	if offset, ok := offsets[c.from]; ok {
		start := element{kind: mark, text: strings.TrimSpace(text), offset: offset, size: -1}
		within = append([]element{start}, within...)
	}
	if c.optional {
		within = []element{{kind: group, text: strings.TrimSpace(text), offset: -1, size: -1, within: within}}
	}
	l.elements = append(l.elements, within...)
	return nil
}

// cut returns the part of s from one offset to another, as far as s goes.
func cut(s string, from, to int) string {
	to = min(to, len(s))
	if from < 0 || from >= to {
		return ""
	}
	return s[from:to]
}
