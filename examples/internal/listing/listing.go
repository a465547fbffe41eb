// Package listing shows annotated packets, as gamequery explain prints them, as HTML: the
// bytes of each field beside its meaning. It needs neither scripts nor other files.
package listing

import (
	"bufio"
	"bytes"
	_ "embed"
	"html/template"
	"io"
	"regexp"
	"strings"
)

// Style contains the styles of a message, which the page of the decoder shares.
//
//go:embed message.css
var Style string

//go:embed page.html
var page string

// pageTemplate defines the parts "start" and "end" of a page, for its title, and
// "message".
var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"style": func() template.CSS { return template.CSS(Style) },
}).Parse(page))

// A message is a packet or a direction of a stream.
type message struct {
	Title  string // the comment before it; may be empty
	Notes  []string
	Fields []field
}

// A field is a range of bytes, whose meaning may be unknown, for example if they are
// encrypted; or a comment after fields, such as an error.
type field struct{ Bytes, Offset, Length, Name, Value, Comment string }

// fieldLine matches the first line of a field.
var fieldLine = regexp.MustCompile(`^([0-9a-f ]*)# (\d+)\+(\d+) (.*?)(?: = (.*))?$`)

// Write writes a page with this title for a listing.
func Write(w io.Writer, title string, text []byte) error {
	if err := pageTemplate.ExecuteTemplate(w, "start", title); err != nil {
		return err
	}
	if err := WriteMessages(w, text); err != nil {
		return err
	}
	return pageTemplate.ExecuteTemplate(w, "end", nil)
}

// WriteMessages writes the part of the page with the messages, which blank lines
// separate.
func WriteMessages(w io.Writer, text []byte) error {
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	var m message
	empty := true
	flush := func() error {
		if empty {
			return nil
		}
		err := pageTemplate.ExecuteTemplate(w, "message", m)
		m, empty = message{}, true
		return err
	}
	for lines.Scan() {
		line := lines.Text()
		if line == "" {
			if err := flush(); err != nil {
				return err
			}
			continue
		}
		m.add(line, empty)
		empty = false
	}
	return flush()
}

// add adds a line; first is set for the title.
func (m *message) add(line string, first bool) {
	comment, isComment := strings.CutPrefix(line, "#")
	comment = strings.TrimSpace(comment)
	parts := fieldLine.FindStringSubmatch(line)
	switch {
	case parts != nil && !isComment:
		m.Fields = append(m.Fields, field{Bytes: strings.TrimSpace(parts[1]),
			Offset: parts[2], Length: parts[3], Name: parts[4], Value: parts[5]})
	case isComment && first:
		m.Title = comment
	case isComment && len(m.Fields) == 0:
		m.Notes = append(m.Notes, comment)
	case isComment:
		m.Fields = append(m.Fields, field{Comment: comment})
	case len(m.Fields) == 0 || m.Fields[len(m.Fields)-1].Comment != "":
		m.Fields = append(m.Fields, field{Bytes: line})
	default:
		last := &m.Fields[len(m.Fields)-1]
		last.Bytes += "\n" + line
	}
}
