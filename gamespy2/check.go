package gamespy2

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// check refuses what neither form can carry. It looks for zero bytes in texts only if zeros
// is set, because that takes as long as encoding: callers first count the zero bytes of the
// encoded message.
func (m *Response) check(w *wire.Writer, zeros bool) {
	m.checkRows(w)
	for i, kv := range m.Info {
		w.In("info", i)
		checkName(w, "key", kv.Key)
		if zeros {
			refuseZeros(w, "key", kv.Key)
			refuseZeros(w, "value", kv.Value)
		}
	}
	for section := players; section <= teams; section++ {
		t := m.table(section)
		for i, name := range t.Columns {
			w.In(columnNames[section], i)
			checkName(w, "name", name)
			if zeros {
				refuseZeros(w, "name", name)
			}
		}
		for i, row := range t.Rows {
			if zeros {
				w.In(rowNames[section], i)
				refuseZeros(w, "value", row...)
			}
			if !m.Split {
				row = row[:min(len(row), 1)]
			}
			if column := slices.Index(row, ""); column >= 0 {
				w.In(rowNames[section], i)
				w.Refuse("value", "column "+strconv.Itoa(column)+" is empty")
			}
		}
	}
	w.In("", -1)
}

// checkRows refuses a response that is Partial, and rows that do not fill the columns.
func (m *Response) checkRows(w *wire.Writer) {
	if m.Partial {
		w.Refuse("partial", "a partial response cannot be sent")
	}
	for section := players; section <= teams; section++ {
		t := m.table(section)
		for i, row := range t.Rows {
			if len(t.Columns) == 0 || len(row) != len(t.Columns) {
				w.In(rowNames[section], i)
				w.Refuse("", strconv.Itoa(len(row))+" values in "+strconv.Itoa(len(t.Columns))+" columns")
			}
		}
	}
	w.In("", -1)
}

// checkName refuses a key or column name that is empty or too long.
func checkName(w *wire.Writer, field, name string) {
	switch {
	case name == "":
		w.Refuse(field, "missing")
	case len(name) > MaxName:
		w.Exceed(field, len(name), MaxName)
	}
}

// refuseZeros refuses texts that contain a zero byte.
func refuseZeros(w *wire.Writer, field string, texts ...string) {
	if slices.ContainsFunc(texts, func(s string) bool { return strings.IndexByte(s, 0) >= 0 }) {
		w.Refuse(field, "contains a zero byte")
	}
}

// texts returns the number of texts in all sections. Each ends with a zero byte.
func (m *Response) texts() int {
	n := 2 * len(m.Info)
	for section := players; section <= teams; section++ {
		t := m.table(section)
		n += (1 + len(t.Rows)) * len(t.Columns)
	}
	return n
}
