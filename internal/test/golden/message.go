package golden

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Message is a message in a golden file. If the file is a stream, it has several.
type Message struct {
	Type    string
	Form    string // the header Form: which of several layouts the message has
	Version string // the header Version: the version of the protocol with these offsets
	Fields  []Field
	Data    []byte

	built int // 1 if the bytes were built by us
}

// A Field is a range of bytes, from the comments of a golden file.
type Field struct {
	Name           string // with [] for each index
	Offset, Length int
	Value          string
}

var (
	fieldComment   = regexp.MustCompile(`(?m)^[0-9a-f ]*# (\d+)\+(\d+) (\S+)(?: = (.*))?$`)
	messageComment = regexp.MustCompile(`(?m)^# \w+\.(\w+), (\d+) bytes from (\d+)$`)
	errorComment   = regexp.MustCompile(`(?m)^# \w+: .* at byte \d+: (.*)$`)
	index          = regexp.MustCompile(`\[\d+\]`)
)

// Messages returns the messages of f. There are none if f is invalid, is a part of a
// message, is encoded as other bytes, or is encrypted.
func (f File) Messages() []Message {
	if errorComment.MatchString(f.Body) || f.Header["Encoding"] == "differs" || f.Header["Part"] != "" ||
		f.Header["Secret"] != "" {
		return nil
	}
	whole := Message{Type: f.Message(), Form: f.Header["Form"], Version: f.Header["Version"], Data: f.Data}
	if strings.HasPrefix(f.Header["Source"], "built") {
		whole.built = 1
	}
	whole.Fields = f.Fields()
	parts := messageComment.FindAllStringSubmatch(f.Body, -1)
	if len(parts) == 0 {
		return []Message{whole}
	}
	all := make([]Message, len(parts))
	for i, m := range parts {
		from, to := number(m[3]), number(m[3])+number(m[2])
		all[i] = Message{Type: m[1], Form: whole.Form, Version: whole.Version, Data: f.Data[from:to],
			built: whole.built}
		for _, f := range whole.Fields {
			if f.Offset >= from && f.Offset+f.Length <= to {
				f.Offset -= from
				all[i].Fields = append(all[i].Fields, f)
			}
		}
	}
	return all
}

// Fields returns the ranges of bytes that the comments of f name, in order.
func (f File) Fields() (fields []Field) {
	for _, m := range fieldComment.FindAllStringSubmatch(f.Body, -1) {
		name := index.ReplaceAllString(m[3], "[]")
		fields = append(fields, Field{name, number(m[1]), number(m[2]), m[4]})
	}
	return fields
}

// number parses digits. It returns 0 if the number is too large.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// names returns the names of the fields and how often each occurs.
func (m Message) names() map[string]int {
	names := map[string]int{}
	for _, f := range m.Fields {
		names[f.Name]++
	}
	return names
}

// first returns the index of the first field of a name.
func (m Message) first(name string) int {
	return slices.IndexFunc(m.Fields, func(f Field) bool { return f.Name == name })
}

// isText reports whether m is a text with the names of its fields in it. In such a
// text several fields without an index share a name: the keys between values, or
// the text between the values of JSON.
func (m Message) isText() bool {
	for name, n := range m.names() {
		if n > 1 && !strings.Contains(name, "[]") {
			return !strings.Contains(string(m.Data), "\x00")
		}
	}
	return false
}

// example returns the example of a field: a text in quotes, or the bytes and the value.
func (m Message) example(f Field) string {
	b := m.Data[f.Offset : f.Offset+f.Length]
	switch {
	case strings.HasPrefix(f.Value, `"`):
		text := strings.TrimRight(string(b), "\x00")
		text = string(b[:min(len(text)+1, len(b), 24)])
		if len(text) < len(b) {
			return strconv.QuoteToASCII(text) + "..."
		}
		return strconv.QuoteToASCII(text)
	case len(b) > 8:
		return fmt.Sprintf("% x ...", b[:8])
	}
	return strings.TrimSuffix(fmt.Sprintf("% x = %s", b, f.Value), " = ")
}
