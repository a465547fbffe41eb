package browser

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// A model is the state of the program.
type model struct {
	browser Browser
	fetcher *fetcher

	servers map[Key]*server
	rows    []*server // those that match, in order, each once
	count   int       // of servers, each once
	chosen  Key       // the server that the cursor stays on; zero is the first row
	cursor  int       // its row
	first   int       // the row at the top of the screen

	search  string
	order   order
	reverse bool

	details bool // of the chosen server are shown
	scroll  int  // lines of the details above the screen

	round         int // counts fetches
	fetching      bool
	notice        string // the last message or error
	width, height int
}

func newModel(b Browser, f *fetcher) *model {
	return &model{browser: b, fetcher: f, servers: map[Key]*server{}, fetching: true, width: 80, height: 24}
}

func (m *model) Init() tea.Cmd { return tea.Batch(m.fetcher.fetch, m.fetcher.next) }

func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.follow()
	case tea.KeyPressMsg:
		return m, m.press(msg)
	case foundMsg:
		m.take(msg)
		return m, m.fetcher.next
	case fetchedMsg:
		m.fetching = false
		m.forget()
		if len(msg) > 0 {
			m.notify(strings.Join(msg, "; "))
		}
		return m, tea.Tick(m.browser.Every, func(time.Time) tea.Msg { return againMsg{} })
	case exitedMsg:
		if msg.err != nil {
			m.notify("the program that was started: " + msg.err.Error())
		}
	case againMsg:
		return m, m.fetch()
	}
	return m, nil
}

// fetch fetches all sources again, unless a fetch is running.
func (m *model) fetch() tea.Cmd {
	if m.fetching {
		return nil
	}
	m.fetching = true
	return m.fetcher.fetch
}

// notify shows a message, until a key is pressed.
func (m *model) notify(text string) {
	m.notice = m.browser.Clean(text)
	m.follow()
}

// take adds or updates servers that were found.
func (m *model) take(found foundMsg) {
	for _, e := range found {
		k := Key{e.Protocol, e.Form, m.browser.Clean(cmp.Or(e.Address, e.ID))}
		s := m.servers[k]
		if s == nil {
			s = &server{Key: k}
			m.servers[k] = s
		}
		s.update(e, m.browser.Clean)
		s.round = m.round
	}
	m.arrangeRows()
}

// forget removes servers that two fetches have not found, such as those that have
// left a list.
func (m *model) forget() {
	for k, s := range m.servers {
		if s.round < m.round-1 {
			delete(m.servers, k)
		}
	}
	m.round++
	m.arrangeRows()
}

// arrangeRows sorts and searches again. The cursor stays on the server that was
// chosen, or else in the first row.
func (m *model) arrangeRows() {
	m.rows, m.count = m.arrange()
	m.cursor = max(slices.IndexFunc(m.rows, func(s *server) bool { return s.Key == m.chosen }), 0)
	m.follow()
}

// choose moves the cursor to a row, and chooses the server there unless it is the
// first.
func (m *model) choose(row int) {
	m.cursor = max(min(row, len(m.rows)-1), 0)
	m.chosen = Key{}
	if m.cursor > 0 {
		m.chosen = m.rows[m.cursor].Key
	}
	m.follow()
}

// follow scrolls so that the cursor is on the screen.
func (m *model) follow() {
	visible := m.visibleRows()
	m.first = max(min(m.first, m.cursor), m.cursor-visible+1, 0)
}

// current returns the server of the cursor, nil if there is none.
func (m *model) current() *server {
	if m.cursor >= len(m.rows) {
		return nil
	}
	return m.rows[m.cursor]
}

// press does what a key means. Letters belong to the search.
func (m *model) press(k tea.KeyPressMsg) tea.Cmd {
	m.notice = ""
	switch k.String() {
	case "ctrl+c":
		return tea.Quit
	case "esc":
		switch {
		case m.details:
			m.details = false
		case m.search != "":
			m.find("")
		default:
			return tea.Quit
		}
	case "up":
		m.move(-1)
	case "down":
		m.move(1)
	case "pgup":
		m.move(-m.visibleRows())
	case "pgdown":
		m.move(m.visibleRows())
	case "home":
		m.move(-farthest)
	case "end":
		m.move(farthest)
	case "enter":
		m.details = m.current() != nil && !m.details
		m.scroll = 0
		if m.details {
			m.chosen = m.current().Key // so that it stays when others appear above it
		}
	case "tab":
		m.sort((m.order+1)%orders, false)
	case "shift+tab":
		m.sort(m.order, !m.reverse)
	case "ctrl+r":
		return m.fetch()
	case "ctrl+f":
		m.favour()
	case "ctrl+y":
		return m.copyAddress()
	case "ctrl+l":
		if m.browser.Command != nil {
			return m.launch()
		}
	case "backspace":
		if r := []rune(m.search); len(r) > 0 {
			m.find(string(r[:len(r)-1]))
		}
	default:
		if k.Text != "" && !m.details {
			m.find(m.search + ansi.Strip(k.Text))
		}
	}
	return nil
}

// farthest is more than the number of rows or lines.
const farthest = math.MaxInt32 / 2

// move moves the cursor, or scrolls the details.
func (m *model) move(rows int) {
	if m.details {
		m.scroll = max(m.scroll+rows, 0)
		return
	}
	m.choose(m.cursor + rows)
}

func (m *model) find(search string) {
	m.search, m.chosen = search, Key{}
	m.arrangeRows()
}

func (m *model) sort(o order, reverse bool) {
	m.order, m.reverse = o, reverse
	m.arrangeRows()
}

// favour makes the chosen server a favourite, or no longer one.
func (m *model) favour() {
	s := m.current()
	if s == nil {
		return
	}
	if err := m.browser.Favourites.toggle(s.Key); err != nil {
		m.notify("favourites: " + err.Error())
	}
	m.arrangeRows()
}

// copyAddress copies where players join the chosen server to the clipboard of the
// terminal.
func (m *model) copyAddress() tea.Cmd {
	s := m.current()
	switch {
	case s == nil:
		return nil
	case s.join == "":
		m.notify("where to join is unknown")
		return nil
	}
	m.notify("copied " + s.join)
	return tea.SetClipboard(s.join)
}
