package main

import (
	"html"
	"strings"
	"testing"
)

// A page contains each line of the explanation: of a message, a broken one, a stream and a
// capture.
func TestExplainPageHasEachLine(t *testing.T) {
	for _, args := range [][]string{
		{"sqp.QueryResponse", infoAnswer},
		{"warzone.HostStream", "../../warzone/testdata/golden/host_session.hex"},
		{"-hex", "sqp.Request", "-"},
	} {
		stdin := []byte("01 80 31 be 18 00 01")
		code, text, stderr := gamequery(stdin, append([]string{"explain"}, args...)...)
		pageCode, page, pageErr := gamequery(stdin, append([]string{"explain", "-html"}, args...)...)
		if code != pageCode || stderr != pageErr || !strings.HasPrefix(page, "<!doctype html>") ||
			!strings.HasSuffix(page, "</html>\n") {
			t.Errorf("%q: exit codes %d and %d, %s%s", args, code, pageCode, pageErr, page)
		}
		for line := range strings.Lines(text) {
			_, meaning, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "# ")
			_, value, isField := strings.Cut(meaning, " = ")
			if !isField {
				value = strings.TrimSpace(meaning[strings.IndexByte(meaning, ' ')+1:])
			}
			if !strings.Contains(html.UnescapeString(page), value) {
				t.Errorf("%q: the page lacks %q", args, value)
			}
		}
	}
	if code, stdout, _ := gamequery(nil, "explain", "-html", "sqp.Request", "no-such-file"); code != exitFailed ||
		stdout != "" {
		t.Errorf("exit code %d, %s", code, stdout)
	}
}
