package golden

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Layout is the layout of a type of message, as the golden files of a package show it.
type Layout struct {
	Type     string
	Form     string   // if the type has several layouts
	Versions []string // whose offsets there are, in order; {""} if the layout has one version
	Rows     []Row
	Text     string // an example, if the message is JSON or consists of keys and values
}

// A Row is a field of a layout, or a part that is itself a message.
type Row struct {
	Name     string         // with [] for each index
	Offset   map[string]int // by version, where it is always the same
	Size     map[string]int // by version, where it is always the same
	Optional bool           // some messages lack it
	Example  string         // its bytes and its value in one message

	texts  map[string]bool // its values, if they are texts
	padded bool            // a text is shorter than the field
	seen   map[string]int  // how many messages have it, by version
	times  map[int]bool    // how often messages have it
}

// In reports whether messages of the version have the field.
func (r Row) In(version string) bool { return r.seen[version] > 0 }

// varies marks offsets and sizes that are not always the same.
const varies = -1

// anySize are the names of fields that may have any size.
var anySize = []string{"extra", "body", "data", "raw", "padding"}

// Layouts returns the layouts of the messages in files, sorted by type and form.
func Layouts(files []File) []Layout {
	type key struct{ typ, form string }
	messages := map[key][]Message{}
	for _, f := range files {
		for _, m := range f.Messages() {
			k := key{m.Type, m.Form}
			messages[k] = append(messages[k], m)
		}
	}
	var all []Layout
	for _, m := range messages {
		all = append(all, layoutOf(m))
	}
	slices.SortFunc(all, func(a, b Layout) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Form, b.Form))
	})
	for i := range all {
		for _, part := range all {
			all[i].fold(part)
		}
	}
	return all
}

// layoutOf returns the layout of messages of one type and form.
func layoutOf(messages []Message) Layout {
	l := Layout{Type: messages[0].Type, Form: messages[0].Form}
	// The message with the most kinds of fields has the best order and example, and real
	// messages are better than built ones.
	slices.SortStableFunc(messages, func(a, b Message) int {
		return cmp.Or(len(b.names())-len(a.names()), a.built-b.built)
	})
	count := map[string]int{}
	for _, m := range messages {
		count[m.Version]++
		l.add(m)
	}
	l.Versions = slices.Sorted(maps.Keys(count))
	for _, version := range l.Versions {
		l.settle(version, count[version])
	}
	if messages[0].isText() {
		l.Text = strings.TrimRight(string(messages[0].Data), "\n")
		for i := range l.Rows {
			l.Rows[i].Offset, l.Rows[i].Size = nil, nil
		}
	}
	return l
}

// add adds the fields of m to the rows.
func (l *Layout) add(m Message) {
	last := -1 // the last row that m has so far
	for i, f := range m.Fields {
		row := l.row(f.Name)
		if row < 0 {
			// A new row stands behind the last one if both are fields of the same part,
			// else in front of the next known one.
			row = last + 1
			if part := parent(f.Name); last < 0 || part == "" || parent(l.Rows[last].Name) != part {
				row = len(l.Rows)
				for _, next := range slices.Backward(m.Fields[i:]) {
					if known := l.row(next.Name); known > last {
						row = known
					}
				}
			}
			l.Rows = slices.Insert(l.Rows, row, Row{
				Name: f.Name, Example: m.example(f), Offset: map[string]int{}, Size: map[string]int{},
				texts: map[string]bool{}, seen: map[string]int{}, times: map[int]bool{},
			})
		}
		last = max(last, row)
		l.Rows[row].add(m, f, m.first(f.Name) == i)
	}
	for name, n := range m.names() {
		l.Rows[l.row(name)].times[n] = true
	}
}

// parent returns the part of a field's name that names what the field is in.
func parent(name string) string { return name[:strings.LastIndexByte(name, '.')+1] }

// row returns the index of the row of a name, -1 if there is none.
func (l *Layout) row(name string) int {
	return slices.IndexFunc(l.Rows, func(r Row) bool { return r.Name == name })
}

// add adds the field f of m to the row. first is true for the first field of its
// name in m.
func (r *Row) add(m Message, f Field, first bool) {
	b := m.Data[f.Offset : f.Offset+f.Length]
	size := f.Length
	if text, err := strconv.Unquote(f.Value); err == nil {
		r.texts[text] = true
		r.padded = r.padded || f.Length-len(text) > 4
	} else if string(bytes.TrimRight(b, "\x00")) == f.Value {
		r.texts[f.Value] = true
	} else if slices.Contains(anySize, strings.TrimPrefix(f.Name, parent(f.Name))) {
		size = varies
	}
	set(r.Size, m.Version, size)
	if first {
		set(r.Offset, m.Version, f.Offset)
		r.seen[m.Version]++
	}
}

// set sets the number of a version. A second number that differs makes it vary.
func set(numbers map[string]int, version string, n int) {
	if old, ok := numbers[version]; ok && old != n {
		n = varies
	}
	numbers[version] = n
}

// settle removes the sizes and offsets that vary in one version, which has count
// messages.
func (l *Layout) settle(version string, count int) {
	moves := false // whether the offset depends on the fields before
	for i := range l.Rows {
		r := &l.Rows[i]
		seen := r.seen[version]
		if seen == 0 {
			continue
		}
		if r.Offset[version] == varies || moves && (seen == 1 || seen < count) {
			delete(r.Offset, version)
		}
		// A text may have any size, unless zeros fill its field or it is the constant
		// that the message starts with.
		isConstant := i == 0 && len(r.texts) == 1
		if r.Size[version] == varies || len(r.texts) > 0 && !r.padded && !isConstant {
			delete(r.Size, version)
			moves = true
		}
		repeats := strings.Contains(r.Name, "[]") && (len(r.times) > 1 || len(r.seen) == 1 && seen == 1)
		r.Optional = r.Optional || seen < count
		moves = moves || repeats || seen < count
	}
}

// fold replaces rows that are a message of type part by one row.
func (l *Layout) fold(part Layout) {
	for i := 0; i < len(l.Rows) && part.Type != l.Type && part.Form == l.Form; i++ {
		for at, c := range l.Rows[i].Name {
			n, within := 0, c == '.'
			for within && i+n < len(l.Rows) {
				name, isPart := strings.CutPrefix(l.Rows[i+n].Name, l.Rows[i].Name[:at]+".")
				if !isPart {
					break
				}
				within = part.row(name) >= 0
				n++
			}
			if within && n > 1 {
				r := &l.Rows[i]
				r.Optional = !slices.ContainsFunc(l.Rows[i:i+n], func(r Row) bool { return !r.Optional })
				r.Name, r.Example, r.Size = r.Name[:at], "a "+part.Type, nil
				l.Rows = slices.Delete(l.Rows, i+1, i+n)
				break
			}
		}
	}
}
