package dump

import (
	"slices"
	"strings"
)

// unquoted returns the quoted part of a text: without "> " before each line, and only the
// block between two lines of ``` or ~~~.
func unquoted(text string) string {
	lines := strings.Split(text, "\n")
	quoted := !slices.ContainsFunc(lines, func(line string) bool {
		line = strings.TrimSpace(line)
		return line != "" && line[0] != '>'
	})
	var fences []int
	for i := range lines {
		if quoted {
			lines[i] = strings.TrimLeft(lines[i], "> \t")
		}
		mark := strings.TrimSpace(lines[i])
		if strings.HasPrefix(mark, "```") || strings.HasPrefix(mark, "~~~") {
			fences = append(fences, i)
		}
	}
	switch {
	case len(fences) == 2:
		lines = lines[fences[0]+1 : fences[1]]
	case !quoted:
		return text
	}
	return strings.Join(lines, "\n")
}
