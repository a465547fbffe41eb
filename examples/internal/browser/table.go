package browser

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// A column is a column of the table.
type column struct {
	title string
	width int // 0 means a share of the remaining width
	least int // minimum width of the screen that shows it
	right bool
	cell  func(s *server) string
}

// columns are all columns. A narrow screen shows only some of them.
var columns = []column{
	{title: "NAME", cell: func(s *server) string {
		if s.err != nil && s.view.Name == "" {
			return s.err.Error()
		}
		return s.view.Name
	}},
	{title: "MAP", least: 76, cell: func(s *server) string { return s.view.Map }},
	{title: "MODE", least: 100, cell: func(s *server) string { return s.view.Mode }},
	{title: "VERSION", width: 10, least: 140, cell: func(s *server) string { return s.view.Version }},
	{title: "PLAYERS", width: 7, least: 30, right: true, cell: func(s *server) string { return places(s) }},
	{title: "PING", width: 5, least: 40, right: true, cell: func(s *server) string { return milliseconds(s.rtt()) }},
	{title: "PROTOCOL", width: 10, least: 120, cell: func(s *server) string { return s.Protocol }},
	{title: "JOIN AT", width: 21, least: 56, cell: func(s *server) string { return cmp.Or(s.join, s.Address) }},
}

// places returns the numbers of players and places, as "3/16".
func places(s *server) string {
	text := "?"
	if s.view.Players != nil {
		text = strconv.Itoa(*s.view.Players)
	}
	if s.view.Max != nil {
		return text + "/" + strconv.Itoa(*s.view.Max)
	}
	if s.view.Players == nil {
		return ""
	}
	return text
}

// mark is the width of the marks before a row, for the cursor and for a favourite.
const mark = 2

// tableLines returns the header and the visible rows.
func (m *model) tableLines() []string {
	shown, widths := m.layout()
	lines := []string{styleHeader.Render(strings.Repeat(" ", mark) +
		m.line(shown, widths, func(c column) string { return c.title }))}
	if len(m.rows) == 0 {
		return append(lines, "  "+m.nothing())
	}
	for i := m.first; i < min(m.first+m.visibleRows(), len(m.rows)); i++ {
		s := m.rows[i]
		before := []byte("  ")
		if i == m.cursor {
			before[0] = '>'
		}
		if m.browser.Favourites.has(s.Key) {
			before[1] = '*'
		}
		text := string(before) + m.line(shown, widths, func(c column) string { return c.cell(s) })
		switch {
		case i == m.cursor:
			text = styleChosen.Render(text)
		case s.err != nil:
			text = styleFaint.Render(text)
		}
		lines = append(lines, text)
	}
	return lines
}

// nothing returns the text for a table without rows.
func (m *model) nothing() string {
	switch {
	case m.fetching && len(m.servers) == 0:
		return "no server yet"
	case len(m.servers) == 0:
		return "no servers"
	}
	return "no server matches"
}

// layout returns the columns for the width of the screen, and their widths.
func (m *model) layout() (shown []column, widths []int) {
	left, sharing := m.width-mark, 0
	for _, c := range columns {
		if m.width < c.least {
			continue
		}
		shown = append(shown, c)
		left -= c.width
		if c.width == 0 {
			sharing++
		}
	}
	left -= len(shown) - 1 // blanks between columns
	for _, c := range shown {
		width := c.width
		if width == 0 {
			// The name gets two shares.
			width = max(left/(sharing+1), 1)
			if c.title == columns[0].title {
				width = max(left-(sharing-1)*width, 1)
			}
		}
		widths = append(widths, width)
	}
	return shown, widths
}

// line returns cells side by side, each as wide as its column.
func (m *model) line(shown []column, widths []int, cell func(column) string) string {
	var b strings.Builder
	for i, c := range shown {
		if i > 0 {
			b.WriteByte(' ')
		}
		text := padded(cell(c), widths[i])
		if c.right {
			left := strings.TrimRight(text, " ")
			text = text[len(left):] + left
		}
		b.WriteString(text)
	}
	return m.fit(b.String())
}

// padded returns text cut to a width, with blanks up to it.
func padded(text string, width int) string {
	text = ansi.Truncate(text, width, "…")
	return text + strings.Repeat(" ", max(width-ansi.StringWidth(text), 0))
}
