package output

import (
	"strings"
	"testing"
)

// The output of templates cannot control a terminal.
func TestTemplateIsClean(t *testing.T) {
	l, err := newLineTemplate(
		`{{define "x"}}{{.}}{{end}}{{.name}}|{{printf "%s!" .name}}|{{range .roster}}{{.name}} {{.ping}}{{end}}|` +
			`{{with .map}}{{.}}{{else}}no map{{end}}|{{$n := .name}}{{$n}}|{{template "x" .name}}|{{.rtt}}`)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	r := Record{"name": "a\x1b[2J\n\u202e", "roster": []Record{{"name": "\a"}}, "rtt": 1000000.5}
	if err := l.write(&b, r); err != nil {
		t.Fatal(err)
	}
	want := `a\x1b[2J\n\u202e|a\x1b[2J\n\u202e!|\a ?|no map|a\x1b[2J\n\u202e|a\x1b[2J\n\u202e|1000000.5` + "\n"
	if b.String() != want {
		t.Errorf("%q, want %q", &b, want)
	}
}
