package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTablesFitTheTerminal(t *testing.T) {
	all := table{header: []string{"ADDRESS", "PLAYERS", "NAME"}}
	all.add("127.0.0.1:1", "3/16", strings.Repeat("健太", 20))
	all.add("192.0.2.100:25600", "", "x")
	for _, tt := range []struct {
		width int
		want  string
	}{
		{41, lines(
			"ADDRESS            PLAYERS  NAME",
			"127.0.0.1:1           3/16  健太健太健太…",
			"192.0.2.100:25600           x",
		)},
		{5, lines( // not less than this
			"ADDRESS   PLAYERS  NAME",
			"127.0.0…     3/16  健太健…",
			"192.0.2…           x",
		)},
		{0, lines(
			"ADDRESS            PLAYERS  NAME",
			"127.0.0.1:1           3/16  "+strings.Repeat("健太", 20),
			"192.0.2.100:25600           x",
		)},
	} {
		var b bytes.Buffer
		if err := all.write(&b, tt.width); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, b.String()); diff != "" {
			t.Errorf("%d columns (-want +got):\n%s", tt.width, diff)
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                           "plain",
		" a\tb\r\nc ":                     "a b  c",
		"\x1b]0;title\x07":                "\ufffd]0;title\ufffd",
		"a\u009b31m\x7f":                  "a\ufffd31m\ufffd",
		"a\u202eb\u2066c\u200f":           "a\ufffdb\ufffdc\ufffd",
		"a\u2028b\u00a0c":                 "a b c",
		"שלום":                            "שלום",
		"健太":                              "健太",
		"Zo\xeb":                          "Zoë", // Latin-1
		"e" + strings.Repeat("\u0301", 9): "e" + strings.Repeat("\u0301", maxMarks),
	} {
		if got := clean(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
