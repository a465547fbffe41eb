package main

import (
	"go/ast"
	"strings"
)

// tail returns the comment of f as sentences about the generated function: the name
// of f at its start becomes "It".
func tail(f *ast.FuncDecl, name string) string {
	if f == nil || f.Doc == nil {
		return ""
	}
	text, ok := strings.CutPrefix(strings.TrimSpace(f.Doc.Text()), name+" ")
	if !ok {
		return ""
	}
	return "It " + text
}

// lineWidth is how wide comments are.
const lineWidth = 80

// comment returns a comment of sentences, wrapped. Paragraphs that are indented
// stay as they are.
func comment(first, rest string) string {
	text := first
	if rest != "" {
		text += " " + rest
	}
	var out strings.Builder
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			out.WriteString("//\n")
		}
		if strings.HasPrefix(paragraph, "\t") || strings.HasPrefix(paragraph, " ") {
			for line := range strings.Lines(paragraph) {
				out.WriteString("//" + strings.TrimRight(line, "\n") + "\n")
			}
			continue
		}
		line := "//"
		for _, word := range strings.Fields(paragraph) {
			if len(line)+1+len(word) > lineWidth {
				out.WriteString(line + "\n")
				line = "//"
			}
			line += " " + word
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}

// article returns the indefinite article for name.
func article(name string) string {
	if strings.IndexByte("AEIOU", name[0]) >= 0 {
		return "an"
	}
	return "a"
}

// upper returns name with its first letter in upper case.
func upper(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// lower returns name with its first letter in lower case.
func lower(name string) string { return strings.ToLower(name[:1]) + name[1:] }
