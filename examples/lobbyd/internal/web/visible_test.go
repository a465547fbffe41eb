package web_test

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/roster"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
)

func TestVisibleShowsHiddenCharacters(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		"Rush, Ранкед, مباراة, 夜":      "Rush, Ранкед, مباراة, 夜",
		"a\nb\x00\x7f\u0085":           "a⟨0A⟩b⟨00⟩⟨7F⟩⟨85⟩",
		"\u202egnp.exe\u202c\u2066":    "⟨202E⟩gnp.exe⟨202C⟩⟨2066⟩",
		"\u200b\ufeff\u2028\U000e0041": "⟨200B⟩⟨FEFF⟩⟨2028⟩⟨E0041⟩",
		"\xff\xc3(":                    "\ufffd\ufffd(",
		"e" + strings.Repeat("\u0301", 50) + "a\u0301": "e\u0301\u0301\u0301" + strings.Repeat("⟨301⟩", 47) + "a\u0301",
		"a\u200d\u200d\u200d\u200d":                    "a\u200d\u200d\u200d⟨200D⟩",
		"👩\u200d🚀 می\u200cخواهم":                       "👩\u200d🚀 می\u200cخواهم",
	} {
		if got := web.Visible(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func FuzzVisible(f *testing.F) {
	for _, seed := range []string{"", "a\nb", "\u202e", "\xff", "👩\u200d🚀", "e\u0301\u0301\u0301\u0301\u0301"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := web.Visible(text)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x00\n\r\x1b\u202e\u2066") {
			t.Errorf("%q: got %q", text, got)
		}
		if again := web.Visible(got); again != got {
			t.Errorf("%q becomes %q", got, again)
		}
	})
}

// No text of hosts and players appears in an answer as markup, or as characters that
// control a terminal, change the direction of writing or cover other lines.
func TestTextsOfHostsAreHarmless(t *testing.T) {
	hostile := "^1a\x1b[2J\u009b\u202e\u2028^2<script>" + strings.Repeat("\u0301", 50)
	s := show(t, func(s *web.Server) {
		s.Players = func(context.Context, *catalogue.Entry) (roster.Players, error) {
			return roster.Players{Players: []lobbywire.Player{{Name: hostile, Team: hostile}}}, nil
		}
	})
	e := game(catalogue.GameSpy, 1, hostile, 3)
	for f, v := range reflect.ValueOf(&e).Elem().Fields() {
		if f.Type == reflect.TypeFor[string]() && f.Name != "ID" {
			v.SetString(hostile)
		}
	}
	e.Fields = []catalogue.Field{{Name: hostile, Value: hostile}}
	page := "/server/" + e.ID
	for _, e.Quarantine = range []string{"", hostile} {
		s.set(e)
		for _, path := range []string{
			"/?quarantined=1", page, page + "/badge.svg", page + "/embed", "/api/servers?quarantined=1",
			"/api/servers/" + e.ID, "/api/servers/" + e.ID + "/players",
		} {
			text := s.ask("GET", path).Body.String()
			// Other sites do not show hidden servers.
			shows := e.Quarantine == "" || !strings.HasPrefix(path, page+"/")
			if strings.Contains(text, "[2J") != shows {
				t.Errorf("%s shows the texts: %v", path, !shows)
			}
			for _, bad := range []string{
				"\x1b", "\u009b", "\u202e", "\u2028", `\u001b`, `\u2028`, "<script>", strings.Repeat("\u0301", 4),
			} {
				if strings.Contains(text, bad) {
					t.Errorf("%s has %q", path, bad)
				}
			}
		}
	}
}

// Long texts are cut in lists.
func TestLongTextsAreCut(t *testing.T) {
	s := show(t, nil)
	for _, name := range []string{
		strings.Repeat("a", 256), strings.Repeat("a", 257), strings.Repeat("é", 200), strings.Repeat("\x00", 200),
		strings.Repeat("\xff", 300), strings.Repeat("夜", 10_000),
	} {
		e, _, _ := three()
		e.Name = name
		e.Fields[0].Value = name
		s.set(e)
		var list struct{ Servers []struct{ Name string } }
		s.get(t, "/api/servers", &list)
		got := list.Servers[0].Name
		if whole := got == web.Visible(name); len(got) > web.MaxText || whole == strings.HasSuffix(got, "…") ||
			!utf8.ValidString(got) || len(got) < 250 {
			t.Errorf("%d bytes: got %d: %q", len(name), len(got), got)
		}
		var one struct{ Fields [][2]string }
		s.get(t, "/api/servers/"+e.ID, &one)
		if one.Fields[0][1] != web.Visible(name) {
			t.Errorf("%d bytes: the field is cut", len(name))
		}
	}
}
