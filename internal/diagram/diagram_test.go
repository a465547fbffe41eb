package diagram

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/golden"
)

// vector is a list of two names, as a golden file holds it.
var vector = golden.File{
	Name:   "names_two",
	Header: map[string]string{"Message": "Names"},
	Body: `01                                              # 0+1 type = 1
00 02                                           # 1+2 count = 2
02 41 42                                        # 3+3 names[0].text = "AB"
01 43                                           # 6+2 names[1].text = "C"
65 6e 64 0a                                     # 8+4 end = "end\n"
`,
	Data: []byte("\x01\x00\x02\x02AB\x01Cend\n"),
}

// problems returns what is wrong with a diagram of Names.
func problems(t *testing.T, text string) string {
	t.Helper()
	examples, err := examplesOf(vector)
	if err != nil {
		t.Fatal(err)
	}
	layouts, err := block(strings.TrimPrefix(text, "\n"), "Names")
	if err != nil {
		return err.Error()
	}
	var all []string
	for _, err := range compare(layouts, examples) {
		all = append(all, err.Error())
	}
	return strings.Join(all, "\n")
}

func TestRightDiagrams(t *testing.T) {
	for name, text := range map[string]string{
		"box": `
 0      1       3
+------+-------+------------+----------+
| 01   | count | [text]...  | "end" LF |
+------+-------+------------+----------+
what is below is a remark`,
		"box with its end": `
 0      1       3       8          12
+------+-------+-------+----------+
| type | count | names | end      |
+------+-------+-------+----------+`,
		"box that goes on": `
 0      1       3
+------+-------+----
| type | count | ...
+------+-------+----`,
		"box with a cell that is not there in others": `
+------+-------+- - - -+----------+
| type | count | names | end      |
+------+-------+- - - -+----------+`,
		"table": `
offset  size  field
0       1     type, 1
1       2     count, 2
per name:
        1+n   text
then:
        4     end, "end" LF`,
		"part": `
two names:
size  field
3     text, 02 "AB"
2     text`,
		"line": `01 count [text]... "end" LF`,
	} {
		t.Run(name, func(t *testing.T) {
			if got := problems(t, text); got != "" {
				t.Error(got)
			}
		})
	}
}

// A sample is found in the data, whatever it leaves out.
func TestSamples(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a":...,"b":{...}}`: true,
		`{"a":...}`:           false,
		`{"b":...}`:           false,
		`{"a":7,...}`:         true,
	} {
		if got := sample(text).MatchString(`6:{"a":7,"b":{"c":[1,2]}}`); got != want {
			t.Errorf("%s is found: %v, want %v", text, got, want)
		}
	}
}

func TestWrongDiagrams(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"offset": {`
 0      1       2
+------+-------+----
| type | count | ...
+------+-------+----`, `at byte 3 is 3, where the diagram has "..." at 2`},
		"offset above no cell": {`
 0       1      3
+------+-------+----
| type | count | ...
+------+-------+----`, "offset 1 does not stand above the start of a cell"},
		"size": {`
offset  size  field
0       1     type
1       4     count
        n     ...`, `is "count" with 2 bytes, and in the diagram it has 4`},
		"name":       {"type length ...", `at byte 1 is no field "length"`},
		"order":      {"count type ...", `at byte 0 is no field "count"`},
		"constant":   {"02 count ...", "at byte 0 is no 02"},
		"remark":     {"offset  size  field\n0       1     type, 7\n        n     ...", `"type", but not the constant`},
		"too short":  {"type count", "the diagram ends before the message"},
		"too long":   {"type count names end checksum", `at byte 12 is no field "checksum"`},
		"never seen": {"type count [checksum] names end", `"checksum" of the diagram`},
		"cells that do not stand below": {`
+------+-------+----
| type  | count | ...
+------+-------+----`, "do not stand below their border"},
		"no cells":    {"+------+", "no cells below"},
		"bracket":     {"type [count", "a bracket lacks its other"},
		"prose":       {"type; then the count", "is no word of a diagram"},
		"sample":      {`\type\1`, "fits no golden file"},
		"empty cells": {"+------+-----+\n|      |     |\n+------+-----+", "has an empty cell"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := problems(t, tt.text); !strings.Contains(got, tt.want) {
				t.Errorf("problems %q, want %q", got, tt.want)
			}
		})
	}
}

// A wrong offset, size or name in any diagram of any package is noticed.
func TestEveryElementMatters(t *testing.T) {
	for _, pkg := range packages(t) {
		examples, err := examplesIn(pkg)
		if err != nil {
			t.Fatal(err)
		}
		comments, err := commentsIn(pkg)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range comments {
			layouts, errs := c.layouts()
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			for i := range layouts {
				breakEach(layouts[i].elements, func(what string) {
					if len(compare(layouts, examples)) == 0 {
						t.Errorf("%s: %q: a wrong %s goes unnoticed", c.where, layouts[i].text, what)
					}
				})
			}
		}
	}
}

// breakEach calls check with each element of elements broken in each way.
func breakEach(elements []element, check func(what string)) {
	for i := range elements {
		e := &elements[i]
		right := *e
		if e.offset >= 0 {
			for _, wrong := range []int{e.offset + 1, e.offset / 2} {
				if wrong == right.offset {
					continue // 0
				}
				e.offset = wrong
				check("offset of " + e.text)
				*e = right
			}
		}
		if e.size >= 0 {
			e.size++
			check("size of " + e.text)
			*e = right
		}
		if e.kind == named {
			e.text = "checksum"
			check("name for " + right.text)
			*e = right
		}
		breakEach(e.within, check)
	}
}
