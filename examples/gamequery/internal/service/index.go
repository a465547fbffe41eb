package service

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"text/tabwriter"
)

// An index describes the routes. It is made from openapi.json.
type index struct {
	Info  struct{ Title, Description string }
	Paths map[string]map[string]operation // by path and method
	Rows  []indexRow                      // in the order of the routes
}

// An operation is the part of openapi.json about a path and a method that an index shows.
type operation struct {
	Summary    string
	Parameters []struct {
		Name     string
		Required bool
	}
}

// An indexRow is a route in an index.
type indexRow struct {
	Method, Path string // with the names of the required parameters
	Link         string // "" if a link would lack parameters; relative, for proxies that add a folder
	Summary      string
}

func newIndex(all []route) (x index) {
	_ = json.Unmarshal([]byte(openAPI), &x) // a constant, which tests read
	for _, at := range all {
		described := x.Paths[at.path][strings.ToLower(at.method)]
		row := indexRow{Method: at.method, Path: at.path, Summary: described.Summary}
		mark := "?"
		for _, p := range described.Parameters {
			if p.Required {
				row.Path += mark + p.Name + "="
				mark = "&"
			}
		}
		if row.Path == at.path && at.method == http.MethodGet {
			row.Link = strings.TrimPrefix(at.path, "/")
		}
		x.Rows = append(x.Rows, row)
	}
	return x
}

//go:embed index.html
var indexPage string

// page returns the index for browsers.
func (x index) page() string {
	var b strings.Builder
	_ = template.Must(template.New("index.html").Parse(indexPage)).Execute(&b, x) // constants, too
	return b.String()
}

// lines returns the index for terminals.
func (x index) lines() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n\n", x.Info.Title, x.Info.Description)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range x.Rows {
		fmt.Fprintf(w, "%s\t%s\t%s\n", row.Method, row.Path, row.Summary)
	}
	_ = w.Flush() // to memory
	return b.String()
}

// serveIndex returns a handler for the index of routes. Browsers get a page, and other clients
// lines.
func serveIndex(all []route) http.HandlerFunc {
	x := newIndex(all)
	page, lines := text("text/html; charset=utf-8", x.page()), text("text/plain; charset=utf-8", x.lines())
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Vary", "Accept")
		if strings.Contains(r.Header.Get("Accept"), "text/html") {
			page(w, r)
			return
		}
		lines(w, r)
	}
}
