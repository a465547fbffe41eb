package diagram

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/internal/golden"
)

// A field is a range of an example, as its comments explain it.
type field struct {
	path        string // the name without indexes
	offset, end int
}

// An example is a message of a golden file.
type example struct {
	file   string
	typ    string
	fields []field
	data   []byte
}

var (
	fieldComment   = regexp.MustCompile(`(?m) # (\d+)\+(\d+) (\S+)`)
	messageComment = regexp.MustCompile(`(?m)^# \w+\.(\w+), (\d+) bytes from (\d+)$`)
	errorComment   = regexp.MustCompile(`(?m)^# \w+: .* at byte \d+: `)
	index          = regexp.MustCompile(`\[\d+\]`)
)

// examplesIn returns the messages of the golden files of a package.
func examplesIn(dir string) (all []example, err error) {
	files, err := golden.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		found, err := examplesOf(f)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// examplesOf returns the messages of a golden file that show how they are
// encoded: one, or in a stream several.
func examplesOf(f golden.File) ([]example, error) {
	if errorComment.MatchString(f.Body) || f.Header["Encoding"] == "differs" {
		return nil, nil
	}
	all := example{file: f.Name, typ: f.Message(), data: f.Data}
	for _, m := range fieldComment.FindAllStringSubmatch(f.Body, -1) {
		offset, length, err := numbers(m[1], m[2])
		if err != nil || offset+length > len(f.Data) {
			return nil, fmt.Errorf("%s: %q is not in the data: %w", f.Name, m[0], err)
		}
		all.fields = append(all.fields, field{index.ReplaceAllString(m[3], ""), offset, offset + length})
	}
	messages := messageComment.FindAllStringSubmatch(f.Body, -1)
	if len(messages) == 0 {
		return []example{all}, nil
	}
	parts := make([]example, len(messages))
	for i, m := range messages {
		length, offset, err := numbers(m[2], m[3])
		if err != nil {
			return nil, err
		}
		parts[i] = all.part(m[1], offset, offset+length)
	}
	return parts, nil
}

// part returns the part of e from one offset to another.
func (e example) part(typ string, from, to int) example {
	p := example{file: e.file, typ: typ, data: e.data[from:to]}
	for _, f := range e.fields {
		if f.offset >= from && f.end <= to {
			p.fields = append(p.fields, field{f.path, f.offset - from, f.end - from})
		}
	}
	return p
}

func numbers(a, b string) (m, n int, err error) {
	if m, err = strconv.Atoi(a); err != nil {
		return 0, 0, err
	}
	n, err = strconv.Atoi(b)
	return m, n, err
}

// is tells whether name is that of f, or of its last part.
func (f field) is(name string) bool {
	return f.path == name || strings.HasSuffix(f.path, "."+name)
}

// in tells whether f is what is called name, or a part of that.
func (f field) in(name string) bool {
	return strings.Contains("."+f.path+".", "."+name+".")
}
