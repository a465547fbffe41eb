package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
)

func TestJoinedErrorsAreSeparateProblems(t *testing.T) {
	broken := errors.New("one\ntwo")
	for _, tt := range []struct {
		err  error
		want string // texts with bars between them
	}{
		{io.EOF, "EOF"},
		{broken, "one\ntwo"},
		{errors.Join(broken, io.EOF), "one\ntwo|EOF"},
		{errors.Join(errors.Join(io.EOF, broken), io.EOF), "EOF|one\ntwo|EOF"},
		{errors.Join(&usage.Advised{Err: io.EOF, Advice: "wait"}, broken), "EOF|one\ntwo"},
		{output.PrintedError{Err: errors.Join(io.EOF, broken)}, "EOF|one\ntwo"},
		{fmt.Errorf("%w at %w", broken, io.EOF), "one\ntwo at EOF"},
		{fmt.Errorf("at: %w", errors.Join(io.EOF, broken)), "at: EOF\none\ntwo"},
	} {
		var texts []string
		for _, p := range problems(tt.err) {
			texts = append(texts, p.Error())
		}
		if got := strings.Join(texts, "|"); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.err, got, tt.want)
		}
	}
}

// A line break in a name does not start a line that seems to be another error.
func TestErrorsStayOnTheirLine(t *testing.T) {
	for _, args := range [][]string{
		{"query", "sqp", "a\nb:1"}, {"scan", "sqp", "a\nb:1"}, {"list", "warzone", "a\nb:1"},
		{"serve", "sqp", "a\nb:1"}, {"query", "a\nb", "c:1"},
	} {
		_, _, stderr := gamequery(nil, args...)
		first, _, _ := strings.Cut(stderr, "\n")
		if !strings.Contains(first, `a\nb`) || strings.Count(first, "gamequery: ") != 1 || strings.Contains(stderr, "a\nb") {
			t.Errorf("%q: %s", args, stderr)
		}
	}
}
