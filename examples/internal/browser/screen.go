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

// Lines of the screen above the rows, and above details.
const (
	linesAboveRows    = 3
	linesAboveDetails = 2
)

// visibleRows returns how many rows the screen has.
func (m *model) visibleRows() int { return max(m.height-linesAboveRows-len(m.below()), 1) }

func (m *model) View() tea.View {
	lines := []string{styleTitle.Render(m.fit(m.title())), m.fit("search: " + m.search)}
	if s := m.current(); m.details && s != nil {
		lines = append(lines, m.detailLines(s)...)
	} else {
		lines = append(lines, m.tableLines()...)
	}
	below := m.below()
	above := max(m.height-len(below), 0)
	for len(lines) < above {
		lines = append(lines, "")
	}
	lines = append(lines[:above], below[len(below)-(m.height-above):]...)
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

// below returns the lines below the rows: the message, if there is one, and the keys.
func (m *model) below() (lines []string) {
	if m.notice != "" {
		lines = append(lines, m.fit(m.notice))
	}
	return append(lines, styleFaint.Render(m.fit(m.keys())))
}

// keys names the keys, the most important ones first and as many as the screen has room
// for.
func (m *model) keys() string {
	keys := []string{"type to search", "enter details", "^C end", "^Y copy", "tab sort"}
	if m.details {
		keys = []string{"esc back", "↑↓ scroll", "^C end", "^Y copy"}
	}
	if m.browser.Command != nil {
		keys = append(keys, "^L launch")
	}
	text := ""
	for _, key := range append(keys, "^F favourite", "^R again") {
		longer := strings.TrimSpace(text + "  " + key)
		if text != "" && ansi.StringWidth(longer) > m.width {
			break
		}
		text = longer
	}
	return text
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
