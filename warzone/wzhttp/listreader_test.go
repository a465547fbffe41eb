package wzhttp_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

const maxLine = 64 << 10 // bytes of a line, with the one that ends it

// TestListReaderReadsLineByLine checks that each line has the effect that the comment of ListReader
// describes.
func TestListReaderReadsLineByLine(t *testing.T) {
	a, b, c := named("A"), named("B"), named("C")
	header := `{"type":"header","motd":"Hello"}` + "\n"
	for _, tt := range []struct {
		name  string
		list  string
		games string // their ids
		motd  string
		errs  []string
	}{
		{"nothing", "", "", "", nil},
		{"games", header + a + b, "AB", "Hello", nil},
		{"no last line feed", header + a + strings.TrimSuffix(b, "\n"), "AB", "Hello", nil},
		{"CR before line feeds", strings.ReplaceAll(header+a+b, "\n", "\r\n"), "AB", "Hello", nil},
		{"a later header", a + header + b, "AB", "Hello", nil},
		{"the first valid header",
			`{"type":"header"}` + "\n" + header + `{"type":"header","motd":"Bye"}` + "\n" + a, "A", "Hello",
			[]string{"wzhttp: motd at byte 16: invalid value: missing"}},
		{"a header with an escape", `{"t\u0079pe":"header","motd":"Hello"}` + "\n" + a, "A", "Hello", nil},
		{"a game without a member", a + `{"id":"x"}` + "\n" + b, "AB", "",
			[]string{"wzhttp: v at byte 221: invalid value: missing"}},
		{"a member of a wrong type", a + strings.Replace(b, `"B"`, `7`, 1) + c, "AC", "",
			[]string{"wzhttp: id at byte 218: invalid value: is not a string"}},
		{"unknown members", strings.Replace(a, `{"id"`, `{"x":[{}],"id"`, 1) + b, "AB", "", nil},
		{"a type that is no text", `{"type":7}` + "\n" + a, "A", "",
			[]string{"wzhttp: type at byte 8: invalid value: is not a string"}},
		{"a member twice", strings.Replace(a, `"id":"A"`, `"id":"x","id":"A"`, 1) + b, "AB", "", nil},
		{"a header and a type", `{"type":"header","type":"x","motd":"Hello"}` + "\n" + a, "A", "",
			[]string{"wzhttp: type at byte 24: invalid value: is not header"}},
		{"a type and a header", `{"type":"x","type":"header","motd":"Hello"}` + "\n" + a, "A", "",
			[]string{"wzhttp: type at byte 19: invalid value: belongs to a header"}},
		{"nested to 1000 levels", nested(a, wirejson.MaxLooseDepth) + b, "AB", "", nil},
		{"nested deeper", nested(a, wirejson.MaxLooseDepth+1) + b, "B", "",
			[]string{"wzhttp: extra at byte 5: limit exceeded: is nested too deep"}},
		{"nested deeper than encoding/json reads", nested(a, 20_000) + b, "B", "",
			[]string{"wzhttp: extra at byte 5: limit exceeded: is nested too deep"}},

		{"an empty line ends", a + "\n" + b, "A", "", []string{"wzhttp: message at byte 212: truncated"}},
		{"a blank line ends", a + " \t\r\n" + b, "A", "", []string{"wzhttp: message at byte 215: truncated"}},
		{"what is no JSON ends", a + "oops\n" + b, "A", "",
			[]string{"wzhttp: message at byte 212: invalid value: is not an object"}},
		{"half an object ends", a + `{"id":` + "\n" + b, "A", "", []string{"wzhttp: id at byte 218: truncated"}},
		{"two objects end", a + "{} {}\n" + b, "A", "", []string{"wzhttp: id at byte 213: invalid value: missing"}},
		{"an array ends", a + "[]\n" + b, "A", "",
			[]string{"wzhttp: message at byte 212: invalid value: is not an object"}},
		{"null ends", a + "null\n" + b, "A", "",
			[]string{"wzhttp: message at byte 212: invalid value: is not an object"}},
		{"what is not UTF-8 ends", a + "{\"x\":\"\xff\"}\n" + b, "A", "",
			[]string{"wzhttp: extra at byte 217: invalid value: is not UTF-8"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			games, h, errs := readList(wzhttp.Options{}, []byte(tt.list))
			ids := ""
			for _, g := range games {
				ids += g.ID
			}
			motd := ""
			if h != nil {
				motd = h.MOTD
			}
			if ids != tt.games || motd != tt.motd {
				t.Errorf("games %q, message %q", ids, motd)
			}
			if diff := cmp.Diff(tt.errs, texts(errs)); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
		})
	}
}

// nested returns a line with an unknown member of nested arrays.
func nested(line string, depth int) string {
	value := strings.Repeat("[", depth) + strings.Repeat("]", depth)
	return strings.Replace(line, `{"id"`, `{"x":`+value+`,"id"`, 1)
}

// named returns the line of a game with an id of one letter, of 212 bytes.
func named(id string) string {
	s := `{"id":"` + id + `","v":"4.7.0","netv":[16384,104],"name":"Room","host":{"name":"Anna","pk":"` + key + `"},` +
		`"map":["Rush",""],"players":{"cur":1,"max":4},"conn":["tcp"]}`
	return s + strings.Repeat(" ", 211-len(s)) + "\n"
}

func TestLongLinesAreSkippedAndLongListsEnd(t *testing.T) {
	a, b := named("A"), named("B")
	longest := strings.TrimSuffix(a, "\n") + strings.Repeat(" ", maxLine-len(a)) + "\n"
	long := strings.Repeat("x", maxLine) + "\n"
	for _, tt := range []struct {
		name  string
		o     wzhttp.Options
		list  string
		games int
		errs  []string
	}{
		{"a long line is skipped", wzhttp.Options{}, a + long + b, 2,
			[]string{"wzhttp: message at byte 212: limit exceeded: more than 65536"}},
		{"a line of the limit", wzhttp.Options{}, longest + b, 2, nil},
		{"a line above the limit", wzhttp.Options{}, " " + longest + b, 1,
			[]string{"wzhttp: message at byte 0: limit exceeded: more than 65536"}},
		{"a list of the limit", wzhttp.Options{MaxList: 424}, a + b, 2, nil},
		{"a list above the limit", wzhttp.Options{MaxList: 423}, a + b + a, 1,
			[]string{"wzhttp: message at byte 212: limit exceeded: more than 423"}},
		{"nothing is allowed", wzhttp.Options{MaxList: -1}, a, 0,
			[]string{"wzhttp: message at byte 0: limit exceeded: more than 0"}},
	} {
		games, _, errs := readList(tt.o, []byte(tt.list))
		if diff := cmp.Diff(tt.errs, texts(errs)); diff != "" || len(games) != tt.games {
			t.Errorf("%s: %d games, errors (-want +got):\n%s", tt.name, len(games), diff)
		}
	}
}

// A loop that ends early ends the list, and what follows is ignored.
func TestListReaderEndsWithItsLoop(t *testing.T) {
	var l wzhttp.ListReader
	for range l.Add([]byte(named("A") + named("B"))) {
		break
	}
	if !l.Ended() {
		t.Error("the list goes on after a loop that ended early")
	}
	for g, err := range l.Add([]byte(named("C"))) {
		t.Errorf("%v, %v after the end", g, err)
	}
	for g, err := range l.End() {
		t.Errorf("%v, %v after the end", g, err)
	}
}

// A ListReader keeps one line at most. It does not copy that again with every part,
// and drops it beyond the limit.
func TestListReaderKeepsOneLine(t *testing.T) {
	text := []byte(strings.Repeat("x", 4*maxLine))
	errs := 0
	allocations := testing.AllocsPerRun(1, func() {
		var l wzhttp.ListReader
		errs = 0
		for i := range text {
			for range l.Add(text[i : i+1]) {
				errs++
			}
		}
	})
	if allocations > 100 || errs != 1 {
		t.Errorf("%v allocations and %d errors for a long line in parts of a byte", allocations, errs)
	}
}
