package filter_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/filter"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

// The limits of the package documentation.
const (
	maxFilter = 1024
	maxDepth  = 32
)

// strict reads as Options.Strict says.
var strict = filter.Options{Strict: true}

func TestFiltersPrintInOneForm(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"blanks", " \t\r\n", ""},
		{"a name", "dedicated", "dedicated"},
		{"a name with a dot", "a.b_1 = 1", "a.b_1 = 1"},
		{"a name that starts with an operator", "android = 1 or notice = 2 or island",
			"android = 1 or notice = 2 or island"},
		{"and binds tighter than or", "a or b and c", "a or (b and c)"},
		{"a chain of and", "a and b && c AND d", "a and b and c and d"},
		{"parentheses that are kept", "(a and b) and c", "(a and b) and c"},
		{"parentheses that change nothing", "((a = 1))", "a = 1"},
		{"not covers a comparison", "not a = b and c", "not (a = b) and c"},
		{"not on the right of a comparison", "a = not b", "a = (not b)"},
		{"not twice", "not !a", "not (not a)"},
		{"chained comparisons", "a = b = c", "(a = b) = c"},
		{"arithmetic from left to right", "a - b - c", "(a - b) - c"},
		{"arithmetic binds tighter than comparisons", "a & 1 = b", "(a & 1) = b"},
		{"precedence of arithmetic", "a | b ^ c & d << e + f", "a | (b ^ (c & (d << (e + f))))"},
		{"a negative operand", "a--1", "a - -1"},
		{"double quotes", `a = "it's"`, "a = 'it''s'"},
		{"doubled quotes", `a = 'it''s' or b = "x""y"`, `a = 'it''s' or b = 'x"y'`},
		{"an empty text", "a = '' and b = ''", "a = '' and b = ''"},
		{"a text of one quote", "a = ''''", "a = ''''"},
		{"is", "a is null and b is not null and c is 1", "a = null and b != null and c = 1"},
		{"not like", "a not  like 'b' or c", "not (a like 'b') or c"},
		{"Latin-1 in a text", "a = '\xfc'", "a = '\xfc'"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := filter.ParseFilter([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if got := m.String(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			again, err := strict.ParseFilter([]byte(tt.in))
			if diff := cmp.Diff(m, again); err != nil || diff != "" {
				t.Errorf("Strict: %v (-default +strict):\n%s", err, diff)
			}
		})
	}
}

func TestComparisonsBindTighterThanAnd(t *testing.T) {
	name := func(s string) filter.Filter { return filter.Filter{Op: filter.OpName, Text: s} }
	want := filter.Filter{Op: filter.OpAnd, Args: []filter.Filter{
		{Op: "<=", Args: []filter.Filter{name("a"), {Op: filter.OpNumber, Text: "-2.50"}}},
		{Op: filter.OpNot, Args: []filter.Filter{name("b")}},
		{Op: "!=", Args: []filter.Filter{name("c"), {Op: filter.OpNull}}},
	}}
	got, err := filter.ParseFilter([]byte("a <= -2.50 and not b and c is not null"))
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// Battlefield 2 sends what only the default accepts.
func TestAcceptsFiltersOfBattlefield2(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"no and after a number", "numplayers > 0gametype like 'x'", "numplayers > 0 and gametype like 'x'"},
		{"no and after a text", "a = 'x'b = 1", "a = 'x' and b = 1"},
		{"no and before a parenthesis", "a = 1 (b or c)", "a = 1 and (b or c)"},
		{"no and before not", "a = 1 not b !c", "a = 1 and not b and not c"},
		{"a quote in a text", "a like 'flyin' high' and b = 1", "a like 'flyin'' high' and b = 1"},
		{"quotes of both kinds in a text", `a like '%test%' """\ 23%' and b`, `a like '%test%'' """\ 23%' and b`},
		{"a name and an operator behind a text", "a = 'x' b is null", "a = 'x' and b = null"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := filter.ParseFilter([]byte(tt.in))
			if got := m.String(); err != nil || got != tt.want {
				t.Errorf("got %s, %v, want %s", got, err, tt.want)
			}
			if m, err := strict.ParseFilter([]byte(tt.in)); err == nil {
				t.Errorf("Strict reads %s", m)
			}
		})
	}
}

func TestParseErrorsNamePlaceAndReason(t *testing.T) {
	deep := strings.Repeat("(", 2*maxDepth+1)
	for _, tt := range []struct {
		in, field string
		offset    int
		kind      error
		reason    string
	}{
		{"a = ", "operand", 4, lobbywire.ErrTruncated, "truncated"},
		{"(a", "parenthesis", 2, lobbywire.ErrTruncated, "truncated"},
		{"a = 'x", "text", 4, lobbywire.ErrTruncated, "truncated"},
		{"a = 'x' y", "text", 4, lobbywire.ErrTruncated, "truncated"},
		{"a = -", "number", 4, lobbywire.ErrTruncated, "truncated"},
		{"a = 1.", "number", 4, lobbywire.ErrTruncated, "truncated"},
		{"a = and", "operand", 4, lobbywire.ErrTruncated, "truncated"},
		{"not", "operand", 0, lobbywire.ErrTruncated, "truncated"},
		{"a = and b", "operand", 4, lobbywire.ErrInvalid, "missing"},
		{" = 1", "operand", 1, lobbywire.ErrInvalid, "missing"},
		{"a , b", "operator", 2, lobbywire.ErrInvalid, "missing"},
		{"a 5", "operator", 2, lobbywire.ErrInvalid, "missing"},
		{"(a 5)", "operator", 3, lobbywire.ErrInvalid, "missing"},
		{"a )", "parenthesis", 2, lobbywire.ErrInvalid, "none is open"},
		{"a = 1.x", "number", 4, lobbywire.ErrInvalid, "ends without a digit"},
		{"a = -b", "number", 4, lobbywire.ErrInvalid, "ends without a digit"},
		{"a = 'b\x00", "text", 4, lobbywire.ErrInvalid, "zero byte"},
		{"a = \x00", "operand", 4, lobbywire.ErrInvalid, "missing"},
		{"a = " + strings.Repeat("1", 33), "number", 4, lobbywire.ErrTooLarge, "33, at most 32"},
		{deep, "parenthesis", 64, lobbywire.ErrTooLarge, "65, at most 64"},
		{"a" + strings.Repeat("+1", 33), "operator", 65, lobbywire.ErrTooLarge, "33, at most 32"},
		{strings.Repeat("!", 33) + "a", "operator", 32, lobbywire.ErrTooLarge, "33, at most 32"},
		{strings.Repeat(" ", 1025), "", 1024, lobbywire.ErrTooLarge, "1025, at most 1024"},
	} {
		t.Run(tt.in[:min(len(tt.in), 20)], func(t *testing.T) {
			_, err := filter.ParseFilter([]byte(tt.in))
			var e *lobbywire.Error
			if !errors.As(err, &e) || e.Field != tt.field || e.Offset != tt.offset || !errors.Is(err, tt.kind) ||
				!strings.Contains(err.Error(), tt.reason) {
				t.Errorf("got %v, want %s at %d, %v: %s", err, tt.field, tt.offset, tt.kind, tt.reason)
			}
		})
	}
}

// What becomes an operator when it goes on is truncated, also for Strict.
func TestCutOperatorsAreTruncated(t *testing.T) {
	for in, kind := range map[string]error{
		"a lik": lobbywire.ErrTruncated, "a no": lobbywire.ErrTruncated, "a not": lobbywire.ErrTruncated,
		"a not ":  lobbywire.ErrTruncated,
		"a not l": lobbywire.ErrTruncated, "a !": lobbywire.ErrTruncated, "a A": lobbywire.ErrTruncated,
		"a lik ": lobbywire.ErrInvalid, "a b": lobbywire.ErrInvalid, "a not b": lobbywire.ErrInvalid,
		"a (": lobbywire.ErrInvalid, "a !b": lobbywire.ErrInvalid,
	} {
		if _, err := strict.ParseFilter([]byte(in)); !errors.Is(err, kind) {
			t.Errorf("%q: %v, want %v", in, err, kind)
		}
	}
}

func TestAppendRefusesInvalidFilters(t *testing.T) {
	type filters = []filter.Filter
	name := filter.Filter{Op: filter.OpName, Text: "a"}
	deep := name
	for range maxDepth + 1 {
		deep = filter.Filter{Op: filter.OpNot, Args: filters{deep}}
	}
	long := filter.Filter{Op: filter.OpText, Text: strings.Repeat("x", maxFilter)}
	all := []codectest.Refusal{
		{Name: "no operation", Value: filter.Filter{Op: "%"}, Err: lobbywire.ErrInvalid, Field: "op"},
		{Name: "an empty filter in an operation", Value: filter.Filter{Op: filter.OpNot, Args: filters{{}}},
			Err: lobbywire.ErrInvalid, Field: "op"},
		{Name: "a text without an operation", Value: filter.Filter{Text: "a"}, Err: lobbywire.ErrInvalid, Field: "op"},
		{Name: "a word as name", Value: filter.Filter{Op: filter.OpName, Text: "LIKE"},
			Err: lobbywire.ErrInvalid, Field: "text"},
		{Name: "an empty name", Value: filter.Filter{Op: filter.OpName}, Err: lobbywire.ErrInvalid, Field: "text"},
		{Name: "a name with a blank", Value: filter.Filter{Op: filter.OpName, Text: "a b"},
			Err: lobbywire.ErrInvalid, Field: "text"},
		{Name: "no number", Value: filter.Filter{Op: filter.OpNumber, Text: "1e3"},
			Err: lobbywire.ErrInvalid, Field: "text"},
		{Name: "a zero byte", Value: filter.Filter{Op: filter.OpText, Text: "a\x00"},
			Err: lobbywire.ErrInvalid, Field: "text"},
		{Name: "null with a text", Value: filter.Filter{Op: filter.OpNull, Text: "a"},
			Err: lobbywire.ErrInvalid, Field: "text"},
		{Name: "a name with operands", Value: filter.Filter{Op: filter.OpName, Text: "a", Args: filters{name}},
			Err: lobbywire.ErrTooLarge, Field: "args"},
		{Name: "an operation with a text", Value: filter.Filter{Op: filter.OpNot, Text: "a", Args: filters{name}},
			Err: lobbywire.ErrInvalid, Field: "text"},
		{Name: "not of two", Value: filter.Filter{Op: filter.OpNot, Args: filters{name, name}},
			Err: lobbywire.ErrTooLarge, Field: "args"},
		{Name: "and of one", Value: filter.Filter{Op: filter.OpAnd, Args: filters{name}},
			Err: lobbywire.ErrInvalid, Field: "args"},
		{Name: "a comparison of three", Value: filter.Filter{Op: "=", Args: filters{name, name, name}},
			Err: lobbywire.ErrTooLarge, Field: "args"},
		{Name: "too deep", Value: deep, Err: lobbywire.ErrTooLarge, Field: "args"},
		{Name: "too long", Value: long, Err: lobbywire.ErrTooLarge, Field: ""},
	}
	codectest.Refusals(t, all)
	for _, tt := range all {
		if got := tt.Value.(filter.Filter).String(); got != "invalid" {
			t.Errorf("%s: String returns %q", tt.Name, got)
		}
	}
}

func TestFilterAboveTheLimitIsRefused(t *testing.T) {
	blanks := bytes.Repeat([]byte(" "), maxFilter+1)
	if _, err := filter.ParseFilter(blanks[1:]); err != nil {
		t.Errorf("the longest filter: %v", err)
	}
	if _, err := filter.ParseFilter(blanks); !errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("a longer one: %v", err)
	}
}
