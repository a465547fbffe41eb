package browser

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Styles use attributes too, for terminals without colours.
var (
	styleTitle  = lipgloss.NewStyle().Bold(true)
	styleHeader = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Cyan)
	styleChosen = lipgloss.NewStyle().Reverse(true)
	styleFaint  = lipgloss.NewStyle().Faint(true)
)

// Lines of the screen that are not rows: three above and one below.
const otherLines = 4

// visibleRows returns how many rows the screen has.
func (m *model) visibleRows() int { return max(m.height-otherLines, 1) }

func (m *model) View() tea.View {
	lines := []string{styleTitle.Render(m.fit(m.title())), m.fit("search: " + m.search)}
	if s := m.current(); m.details && s != nil {
		lines = append(lines, m.detailLines(s)...)
	} else {
		lines = append(lines, m.tableLines()...)
	}
	for len(lines) < m.height-1 {
		lines = append(lines, "")
	}
	lines = append(lines[:max(m.height-1, 0)], styleFaint.Render(m.fit(m.footer())))
	v := tea.NewView(strings.Join(lines, "\n"))
	v.AltScreen = true
	v.WindowTitle = "gamequery"
	if !m.details {
		v.Cursor = tea.NewCursor(min(ansi.StringWidth("search: "+m.search), m.width-1), 1)
	}
	return v
}

// fit returns text cut to the width of the screen.
func (m *model) fit(text string) string { return ansi.Truncate(text, m.width, "…") }

func (m *model) title() string {
	sorted := m.order.String()
	if m.reverse {
		sorted += ", reversed"
	}
	title := fmt.Sprintf("%d of %d servers, by %s", len(m.rows), m.count, sorted)
	if m.fetching {
		title += ", querying"
	}
	return title
}

func (m *model) footer() string {
	switch {
	case m.notice != "":
		return m.notice
	case m.details:
		return "esc back  ↑↓ scroll  ^Y copy  ^F favourite  ^R again  ^C end"
	}
	return "type to search  tab sort  enter details  ^Y copy  ^F favourite  ^R again  ^C end"
}

// milliseconds returns a round trip as a number, "" for none.
func milliseconds(d time.Duration) string {
	switch {
	case d == 0:
		return ""
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f", d.Seconds()*1000)
	}
	return fmt.Sprintf("%.0f", d.Seconds()*1000)
}
