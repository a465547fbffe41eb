package browser

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
)

// clean is a simple Browser.Clean.
func clean(s string) string { return strings.ReplaceAll(s, "\x1b", "") }

// entries returns two servers with players, an entry of a list, and a server that does
// not answer.
func entries() []Entry {
	return []Entry{
		{Protocol: "sqp", Address: "192.0.2.1:7778", RTT: 20 * time.Millisecond, View: lobbywire.View{
			Name: "Duel \x1b[31mred", Map: "Harbor", Mode: "ctf", Players: new(3), Max: new(8), Port: 7777,
			Roster: []lobbywire.Player{{Name: "Ada", Score: new(12), Ping: new(20)}},
			Rules:  []lobbywire.Rule{{Key: "gravity", Value: "800"}},
		}},
		{Protocol: "gamespy2", Address: "192.0.2.2:29900", RTT: 5 * time.Millisecond, View: lobbywire.View{
			Name: "Reef", Map: "Atoll", Players: new(12), Max: new(64), Port: 16567,
		}},
		{Protocol: "warzone", Address: "192.0.2.3:2100", View: lobbywire.View{
			Name: "Rush room", Map: "Rush", Players: new(1), Max: new(4), Host: "192.0.2.3", Port: 2100,
		}},
		{Protocol: "sqp", Address: "192.0.2.4:1", Err: errors.New("no answer in time")},
	}
}

// newTestModel returns a model with the entries.
func newTestModel(t *testing.T) *model {
	t.Helper()
	favourites, err := LoadFavourites("")
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(Browser{Clean: clean, Favourites: favourites, Every: time.Minute}, newFetcher(t.Context(), nil))
	m.Update(foundMsg(entries()))
	return m
}

// press presses keys; a text is typed.
func press(m *model, keys ...string) (last tea.Cmd) {
	for _, k := range keys {
		msg, ok := map[string]tea.KeyPressMsg{
			"tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "enter": {Code: tea.KeyEnter},
			"esc": {Code: tea.KeyEscape}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "end": {Code: tea.KeyEnd},
			"home": {Code: tea.KeyHome}, "pgdown": {Code: tea.KeyPgDown}, "backspace": {Code: tea.KeyBackspace},
			"ctrl+l": {Code: 'l', Mod: tea.ModCtrl}, "ctrl+f": {Code: 'f', Mod: tea.ModCtrl}, "ctrl+y": {Code: 'y', Mod: tea.ModCtrl},
			"ctrl+r": {Code: 'r', Mod: tea.ModCtrl}, "ctrl+c": {Code: 'c', Mod: tea.ModCtrl},
		}[k]
		if ok {
			_, last = m.Update(msg)
			continue
		}
		for _, c := range k {
			_, last = m.Update(tea.KeyPressMsg{Code: c, Text: string(c)})
		}
	}
	return last
}

func names(m *model) (all []string) {
	for _, s := range m.rows {
		all = append(all, s.Address)
	}
	return all
}

func TestSortAndSearch(t *testing.T) {
	const duel, reef, room, silent = "192.0.2.1:7778", "192.0.2.2:29900", "192.0.2.3:2100", "192.0.2.4:1"
	for name, tt := range map[string]struct {
		keys []string
		want []string
	}{
		"players":           {nil, []string{reef, duel, room, silent}},
		"ping":              {[]string{"tab"}, []string{reef, duel, room, silent}},
		"name":              {[]string{"tab", "tab"}, []string{duel, reef, room, silent}},
		"map":               {[]string{"tab", "tab", "tab"}, []string{reef, duel, room, silent}},
		"protocol":          {[]string{"tab", "tab", "tab", "tab"}, []string{reef, duel, room, silent}},
		"all orders":        {[]string{"tab", "tab", "tab", "tab", "tab"}, []string{reef, duel, room, silent}},
		"players, reversed": {[]string{"shift+tab"}, []string{room, duel, reef, silent}},
		"a favourite":       {[]string{"end", "ctrl+f"}, []string{silent, reef, duel, room}},
		"none any more":     {[]string{"end", "ctrl+f", "ctrl+f"}, []string{reef, duel, room, silent}},
		"a word":            {[]string{"R"}, []string{reef, duel, room}},
		"two words":         {[]string{"rush 192"}, []string{room}},
		"a protocol":        {[]string{"sqp"}, []string{duel, silent}},
		"nothing":           {[]string{"zzz"}, nil},
		"taken back":        {[]string{"zzz", "backspace", "backspace", "backspace"}, []string{reef, duel, room, silent}},
		"ended":             {[]string{"zzz", "esc"}, []string{reef, duel, room, silent}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newTestModel(t)
			press(m, tt.keys...)
			if got := names(m); !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// A server that answers in several protocols, or is also on a list, has one row, and
// the details name the other protocols. Servers that cannot be joined keep their rows.
func TestServersHaveOneRow(t *testing.T) {
	m := newTestModel(t)
	m.Update(foundMsg{
		{Protocol: "gamespy2", Address: "192.0.2.1:7779", RTT: time.Millisecond, View: lobbywire.View{Name: "Duel \x1b[31mred", Port: 7777}},
		{Protocol: "bomberman", Address: "192.0.2.1:7777", View: lobbywire.View{Name: "Duel \x1b[31mred", Host: "192.0.2.1", Port: 7777}},
		{Protocol: "wzhttp", ID: "AAAAAAA", View: lobbywire.View{Name: "One"}},
		{Protocol: "wzhttp", ID: "BBBBBBB", View: lobbywire.View{Name: "Two"}},
	})
	want := []string{"192.0.2.2:29900", "192.0.2.3:2100", "192.0.2.1:7779", "AAAAAAA", "BBBBBBB", "192.0.2.4:1"}
	if got := names(m); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if text := screenOf(t, m); !strings.Contains(text, "6 of 6 servers") {
		t.Error(text)
	}
	press(m, "down", "down", "enter")
	text := screenOf(t, m)
	for _, want := range []string{"protocol   gamespy2, 192.0.2.1:7779", "also       bomberman, 192.0.2.1:7777", "also       sqp, 192.0.2.1:7778"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	press(m, "esc", "sqp 7778")
	if got := names(m); !slices.Equal(got, []string{"192.0.2.1:7778"}) {
		t.Errorf("a search for a port: %q", got)
	}
	m.Update(foundMsg{{Protocol: "gamespy2", Address: "192.0.2.1:7779", Err: errors.New("no answer in time")}})
	press(m, "esc")
	if got := names(m); !slices.Contains(got, "192.0.2.1:7778") || slices.Contains(got, "192.0.2.1:7779") {
		t.Errorf("after a query without an answer: %q", got)
	}
}

// A server or list that claims the address of another under a name of its own does not hide
// it, whatever comes first.
func TestClaimsHideNobody(t *testing.T) {
	m := newTestModel(t)
	m.Update(foundMsg{
		{Protocol: "bomberman", Address: "192.0.2.1:7777", View: lobbywire.View{Name: "Evil", Host: "192.0.2.1", Port: 7777}},
		{Protocol: "aaa", Address: "192.0.2.1:9", RTT: time.Millisecond, View: lobbywire.View{Name: "Bad", Port: 7777}},
	})
	for _, at := range []string{"192.0.2.1:7777", "192.0.2.1:7778", "192.0.2.1:9"} {
		if got := names(m); !slices.Contains(got, at) {
			t.Errorf("%s is missing in %q", at, got)
		}
	}
}

// The cursor stays on its server when other servers appear and the order changes.
func TestCursorStaysOnItsServer(t *testing.T) {
	m := newTestModel(t)
	press(m, "down")
	chosen := m.current().Address
	m.Update(foundMsg{{Protocol: "sqp", Address: "192.0.2.9:1", View: lobbywire.View{Players: new(99)}}})
	press(m, "shift+tab", "tab")
	if got := m.current().Address; got != chosen {
		t.Errorf("on %s, want %s", got, chosen)
	}
}

// A server that has left its list disappears from the table, but only after two
// fetches.
func TestForgotten(t *testing.T) {
	m := newTestModel(t)
	for _, want := range []int{4, 4, 1, 1} {
		m.Update(foundMsg(entries()[:1]))
		m.Update(fetchedMsg{})
		if len(m.rows) != want {
			t.Errorf("%d servers, want %d", len(m.rows), want)
		}
	}
}

func TestKeys(t *testing.T) {
	m := newTestModel(t)
	if cmd := press(m, "ctrl+y"); cmd == nil || m.notice != "copied 192.0.2.2:16567" {
		t.Errorf("notice %q", m.notice)
	}
	press(m, "end", "ctrl+y")
	if m.notice != "where to join is unknown" {
		t.Errorf("notice %q", m.notice)
	}
	if cmd := press(m, "ctrl+r"); cmd != nil {
		t.Error("a second fetch while one runs")
	}
	m.Update(fetchedMsg{"a list: no \x1banswer"})
	if m.notice != "a list: no answer" || m.fetching {
		t.Errorf("notice %q, fetching %v", m.notice, m.fetching)
	}
	if cmd := press(m, "ctrl+r"); cmd == nil {
		t.Error("no fetch")
	}
	if cmd := press(m, "enter", "esc", "esc"); cmd == nil || cmd() != tea.Quit() {
		t.Error("esc did not end the program")
	}
}

// screenOf returns the screen as text after checking its size.
func screenOf(t *testing.T, m *model) string {
	t.Helper()
	text := ansi.Strip(m.View().Content)
	lines := strings.Split(text, "\n")
	if len(lines) != m.height {
		t.Errorf("%d lines on a screen of %d", len(lines), m.height)
	}
	for _, line := range lines {
		if ansi.StringWidth(line) > m.width {
			t.Errorf("%q is wider than %d", line, m.width)
		}
	}
	return text
}

func TestScreens(t *testing.T) {
	for name, tt := range map[string]struct {
		width, height int
		keys          []string
		want, not     []string
	}{
		"80x24": {80, 24, nil,
			[]string{"4 of 4 servers, by players, querying", "> Reef", "12/64", "Duel [31mred", "192.0.2.1:7777", "no answer in time", "JOIN AT"},
			[]string{"\x1b", "PROTOCOL", "MODE"}},
		"200x50":      {200, 50, nil, []string{"PROTOCOL", "MODE", "VERSION", "ctf", "gamespy2"}, nil},
		"60x20":       {60, 20, nil, []string{"192.0.2.1:7777", "^C end"}, []string{"Harbor", "MAP", "…"}},
		"narrow":      {24, 10, nil, []string{"> Reef"}, []string{"JOIN", "PING"}},
		"tiny":        {4, 3, nil, nil, nil},
		"no match":    {80, 24, []string{"zzz"}, []string{"no server matches", "0 of 4 servers"}, nil},
		"details":     {80, 24, []string{"tab", "tab", "enter"}, []string{"Duel [31mred", "join at    192.0.2.1:7777", "Ada", "12", "gravity", "20 ms, 20 to 20", "█"}, []string{"NAME"}},
		"low details": {80, 8, []string{"tab", "tab", "enter", "end", "down"}, []string{"gravity"}, []string{"Harbor"}},
		"favourite":   {80, 24, []string{"ctrl+f"}, []string{">*Reef"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			m := newTestModel(t)
			m.Update(tea.WindowSizeMsg{Width: tt.width, Height: tt.height})
			press(m, tt.keys...)
			text := screenOf(t, m)
			for _, w := range tt.want {
				if !strings.Contains(text, w) {
					t.Errorf("%q is missing in\n%s", w, text)
				}
			}
			for _, n := range tt.not {
				if strings.Contains(text, n) {
					t.Errorf("%q is in\n%s", n, text)
				}
			}
		})
	}
}

// A message leaves the keys on the screen, and all rows reachable.
func TestMessagesHideNoKeys(t *testing.T) {
	for _, width := range []int{60, 80, 120} {
		m := newTestModel(t)
		m.Update(tea.WindowSizeMsg{Width: width, Height: 8})
		press(m, "end")
		m.Update(fetchedMsg{"warzone=192.0.2.9:9990: no answer in time"})
		text := screenOf(t, m)
		for _, want := range []string{"no answer in time\n", "warzone=192.0.2.9:9990", "type to search  enter details  ^C end", "\n> "} {
			if !strings.Contains(text, want) {
				t.Errorf("%d columns: %q is missing in\n%s", width, want, text)
			}
		}
	}
	m := newTestModel(t)
	m.browser.Command = func(string, string) []string { return nil }
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 24})
	if text := screenOf(t, m); !strings.HasSuffix(text, "^Y copy  tab sort  ^L launch  ^F favourite  ^R again") {
		t.Error(text)
	}
}

func TestGraph(t *testing.T) {
	ms := time.Millisecond
	trips := []time.Duration{ms, 0, 4 * ms, 8 * ms}
	if got, want := graph(trips)+"  "+summary(trips), "▁.▄█  8.0 ms, 1.0 to 8.0, 1 of 4 lost"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := summary([]time.Duration{0}); got != "no answer, 1 of 1 lost" {
		t.Errorf("%q", got)
	}
}

// Favourites are kept in a file, apart from one at the same address in the other form.
func TestFavouritesAreKeptInAFile(t *testing.T) {
	native := Key{Protocol: "gameagent", Address: "192.0.2.3:25601"}
	legacy := native
	legacy.Form = formLegacy
	path := filepath.Join(t.TempDir(), "favourites")
	if err := os.WriteFile(path, []byte("# mine\nsqp 192.0.2.1:7778\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := LoadFavourites(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []Key{legacy, {Protocol: "sqp", Address: "192.0.2.1:7778"}, native} {
		if err := f.toggle(k); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.toggle(Key{Protocol: "warzone", Address: "the name of a game"}); err == nil {
		t.Error("the name of a game is a favourite")
	}
	again, err := LoadFavourites(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Key{legacy, native}, again.All()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("files left: %v", left)
	}
	for _, line := range []string{"sqp", "gameagent 192.0.2.3:25601 full"} {
		if err := os.WriteFile(path, []byte(line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadFavourites(path); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%s: error %v", line, err)
		}
	}
}
