package terminal

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCleanEscapesControls(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                           "plain",
		" a\u00a0b\u3000c ":               "a b c",
		"a\tb\r\nc":                       `a\tb\r\nc`,
		"\x1b]0;title\x07":                `\x1b]0;title\a`,
		"a\u009b31m\x7f":                  `a\u009b31m\x7f`,
		"a\u202eb\u2066c\u200f\u061c":     `a\u202eb\u2066c\u200f\u061c`,
		"a\u2028b\ufeff":                  `a\u2028b\ufeff`,
		"שלום":                            "שלום",
		"健太":                              "健太",
		"👨\u200d👩\u200d👧":                 "👨\u200d👩\u200d👧",
		"Zo\xeb":                          "Zoë",       // Windows-1252
		"Зоя\xd0":                         "Зоя\ufffd", // cut
		"a\x9b1m":                         "a›1m",      // Windows-1252
		"a\x8d1m":                         `a\u008d1m`,
		"e" + strings.Repeat("\u0301", 9): "e" + strings.Repeat("\u0301", maxMarks),
		strings.Repeat("\u200d", 9) + "e": strings.Repeat("\u200d", maxMarks) + "e",
	} {
		if got := Clean(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestIsolateKeepsTheOrderAround(t *testing.T) {
	for in, want := range map[string]string{
		"":           "",
		"plain 健太 3": "plain 健太 3",
		"שלום 3":     "\u2068שלום 3\u2069",
		"my سيرفر":   "\u2068my سيرفر\u2069",
		"٣":          "\u2068٣\u2069", // a digit written from right to left
	} {
		if got := isolate(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Accents that would cover other lines are escaped, and a reader of JSON gets them back.
func TestManyAccentsAreEscaped(t *testing.T) {
	name := "e" + strings.Repeat("\u0301", 50) + "!"
	const want = "e\u0301\u0301\u0301"
	for what, got := range map[string]string{"Printable": Printable(name), "Clean": Clean(name)} {
		if !strings.HasPrefix(got, want) || strings.Count(got, "\u0301") != 3 {
			t.Errorf("%s: %q", what, got)
		}
	}
	b, err := json.Marshal(name)
	if err != nil {
		t.Fatal(err)
	}
	escaped := EscapeControls(b)
	var again string
	if err := json.Unmarshal(escaped, &again); err != nil || again != name ||
		strings.Count(string(escaped), "\u0301") != 3 {
		t.Errorf("%s is %q, %v", escaped, again, err)
	}
}
