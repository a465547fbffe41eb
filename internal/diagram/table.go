package diagram

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var columnHead = regexp.MustCompile(`\S+(?:,? \S+)*`)

// isTable tells whether a line is the head of a table.
func isTable(line string) bool {
	words := strings.Fields(line)
	n := len(words)
	return n > 1 && words[n-1] == "field" && words[n-2] == "size"
}

// table reads the table whose head is the first of lines.
func table(lines []string) (all []element, err error) {
	sizeAt, nameAt := strings.Index(lines[0], "size"), strings.Index(lines[0], "field")
	into := &all
	for _, line := range lines[1:] {
		if label, ok := strings.CutSuffix(line, ":"); ok {
			into = &all
			if label = strings.TrimSpace(label); label != "then" {
				repeats := strings.HasPrefix(label, "per ")
				all = append(all, element{kind: group, text: label, offset: -1, size: -1, repeats: repeats})
				into = &all[len(all)-1].within
			}
			continue
		}
		e, err := row(line, sizeAt, nameAt)
		if err != nil {
			return nil, err
		}
		*into = append(*into, e)
	}
	return all, nil
}

func row(line string, sizeAt, nameAt int) (element, error) {
	name, remark, _ := strings.Cut(strings.TrimSpace(cut(line, nameAt, len(line))), ",")
	e := element{kind: named, text: name, offset: -1, size: -1}
	if name == "..." {
		e.kind = rest
	} else if !nameWord.MatchString(name) {
		return e, fmt.Errorf("row %q names no field", line)
	}
	if text := strings.TrimSpace(cut(line, 0, sizeAt)); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			return e, fmt.Errorf("row %q: offset: %w", line, err)
		}
		e.offset = n
	}
	switch text := strings.TrimSpace(cut(line, sizeAt, nameAt)); text {
	case "n", "1+n":
	default:
		n, err := strconv.Atoi(text)
		if err != nil {
			return e, fmt.Errorf("row %q: size: %w", line, err)
		}
		e.size = n
	}
	e.value = remarkValue(remark, e.size)
	return e, nil
}

// matrix reads the offsets of fields in several forms. The first of lines names
// the type and the forms; rows have their offsets below.
func matrix(lines []string) ([]layout, error) {
	heads := columnHead.FindAllStringIndex(lines[0], -1)
	title := lines[0][heads[0][0]:heads[0][1]]
	forms := make([]layout, len(heads)-1)
	for i := range forms {
		forms[i].types = []string{title}
	}
	for _, line := range lines[1:] {
		name := strings.TrimSpace(cut(line, 0, heads[1][0]))
		if !nameWord.MatchString(name) {
			return nil, fmt.Errorf("row %q names no field", line)
		}
		for i, head := range heads[1:] {
			upto := len(line)
			if i+2 < len(heads) {
				upto = heads[i+2][0]
			}
			text := strings.TrimSpace(cut(line, head[0], upto))
			if text == "" {
				continue
			}
			offset, err := strconv.Atoi(text)
			if err != nil {
				return nil, fmt.Errorf("row %q: %w", line, err)
			}
			e := element{kind: named, text: name, offset: offset, size: -1}
			if name == "end" {
				e.kind = mark
			}
			forms[i].elements = append(forms[i].elements, e)
		}
	}
	return forms, nil
}
