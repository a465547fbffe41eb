package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// A message can have several layouts of fixed sizes. The directive names them by
// constants of one type, with /le after those whose numbers are little-endian:
//
//	//wire:message layouts=Layout:Layout20/le,Layout21,layout22
//
// Each field then has a column for each layout, with its size in bytes, or - where the
// layout lacks it. Of arrays it is the size of an element:
//
//	Size uint32 `wire:"size"      sizes:"4  4  4"`
//	Name string `wire:"name,text" sizes:"64 64 -"`
//
// Texts have kinds of the package's own, such as text:
//
//	func decodeText(r *wire.Reader, o Options, size int, field string) string
//	func appendText(w *wire.Writer, b *wire.Block, size int, field, s string)
//
// The message has decode and append, which choose the layout and call the generated
// methods.
var variantMethods = []struct {
	doc, signature string
	statement      func(p *codec, f field, size string) string
}{
	{"decodeLayout reads a %s of layout l.", "decodeLayout(r *wire.Reader, o Options, l %s)", (*codec).readVariant},
	{"appendLayout writes a %s in layout l. It fails if a field is set that l lacks.",
		"appendLayout(w *wire.Writer, b wire.Block, l %s)", (*codec).appendVariant},
	{"fitLayout clears the fields of a %s that layout l lacks, and shortens texts to their fields.", "fitLayout(l %s)",
		(*codec).fitVariant},
}

// missing is the size of a field that a layout lacks.
const missing = "-"

// writeVariants writes the methods of a message with several layouts.
func (p *codec) writeVariants(out *bytes.Buffer, m *message) {
	typ, variants, _ := strings.Cut(m.variants, ":")
	for _, method := range variantMethods {
		fmt.Fprintf(out, "\n%sfunc (m *%s) "+method.signature+" {\n\tswitch l {\n",
			comment(fmt.Sprintf(method.doc, m.name), ""), m.name, typ)
		for i, variant := range strings.Split(variants, ",") {
			name, le := strings.CutSuffix(variant, "/le")
			fmt.Fprintf(out, "\tcase %s:\n", name)
			for _, f := range m.fields {
				for _, e := range f.elements() {
					if le && p.isNumber(e) {
						e.kind = "le"
					}
					if s := method.statement(p, e, f.sizes[i]); s != "" {
						out.WriteString(s + "\n")
					}
				}
			}
		}
		out.WriteString("\t}\n}\n")
	}
}

// checkVariants fails if a message with several layouts lacks methods or sizes.
func (p *codec) checkVariants(m *message) error {
	layouts := 0
	if m.variants != "" {
		typ, names, _ := strings.Cut(m.variants, ":")
		variants := strings.Split(names, ",")
		layouts = len(variants)
		if p.types[typ] == "" {
			return p.mistake(m.at, m.name, "layouts=%s: the package has no type %s", m.variants, typ)
		}
		for _, variant := range variants {
			if name := strings.TrimSuffix(variant, "/le"); !p.values[name] {
				return p.mistake(m.at, m.name, "layouts=: the package has no constant %s", name)
			}
		}
		if m.decode == nil || m.append == nil {
			return p.mistake(m.at, m.name, "has several layouts and lacks decode or append, which choose one")
		}
	}
	for _, f := range m.fields {
		if len(f.sizes) != layouts {
			return p.mistake(f.at, m.name+"."+f.name, "has %d sizes for %d layouts", len(f.sizes), layouts)
		}
		for _, size := range f.sizes {
			if _, err := strconv.ParseUint(size, 10, 16); err != nil && size != missing {
				return p.mistake(f.at, m.name+"."+f.name, "the size %s is neither a number nor %s", size, missing)
			}
		}
	}
	return nil
}

func (p *codec) readVariant(f field, size string) string {
	switch {
	case size == missing:
		return ""
	case p.isNumber(f):
		return p.read(f)
	}
	return fmt.Sprintf("m.%s = decode%s(r, o, %s, %q)", f.name, upper(f.kind), size, f.wire)
}

func (p *codec) appendVariant(f field, size string) string {
	switch {
	case size == missing:
		return fmt.Sprintf("w.Check(m.%s == %s, wire.NotInLayout, %q)", f.name, p.zero(f), f.wire)
	case p.isNumber(f):
		return "b" + strings.TrimPrefix(p.appendTo(f), "w")
	}
	return fmt.Sprintf("append%s(w, &b, %s, %q, m.%s)", upper(f.kind), size, f.wire, f.name)
}

func (p *codec) fitVariant(f field, size string) string {
	switch {
	case size == missing:
		return fmt.Sprintf("m.%s = %s", f.name, p.zero(f))
	case p.isNumber(f):
		return ""
	}
	return fmt.Sprintf("m.%s = Clip(m.%s, %s-1)", f.name, f.name, size)
}

// zero returns the zero value of f, which is a text or a number.
func (p *codec) zero(f field) string {
	if p.isNumber(f) {
		return "0"
	}
	return `""`
}
