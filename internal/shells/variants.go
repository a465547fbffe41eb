package main

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A variant is one of several layouts of the same message. The directive names
// them by constants of one type, with /le after those whose numbers are
// little-endian:
//
//	//wire:message layouts=Layout:Layout20/le,Layout21,layout22
//
// Each field then has a column for each layout, with its size in bytes, or -
// where the layout lacks it. Of arrays it is the size of an element. A field
// may name a method of the layout for its offset:
//
//	Size uint32 `wire:"size"      sizes:"4  4  4" at:"sizeOffset"`
//	Name string `wire:"name,text" sizes:"64 64 -"`
//
// Kinds of the package's own, such as text, are the functions
//
//	func decodeText(r *wire.Reader, o Options, size int, field string) string
//	func appendText(w *wire.Writer, b *wire.Block, size int, field, s string)
//
// The message has decode and append, which choose the layout. The type of layouts gets
// methods for the size and the offsets, and the message gets these:
//
//	decodeLayout  reads a layout
//	appendLayout  appends a layout; it fails if a field is set that the layout lacks
//	fitLayout     clears those fields, and shortens texts by the function Clip
//	texts         returns pointers to the texts
type variant struct {
	name string // of its constant
	le   bool
}

// variants are the layouts of one message.
type variants struct {
	typ string // of their constants
	all []variant
}

// variantsOf parses the value of the argument layouts.
func variantsOf(value string) variants {
	typ, list, _ := strings.Cut(value, ":")
	v := variants{typ: typ}
	for name := range strings.SplitSeq(list, ",") {
		name, le := strings.CutSuffix(name, "/le")
		v.all = append(v.all, variant{name, le})
	}
	return v
}

// columns are the parts of a field's tag that differ between layouts.
type columns struct {
	sizes []string // by layout
	at    string   // the method for the offset, or ""
}

func columnsOf(tag reflect.StructTag) columns {
	return columns{strings.Fields(tag.Get("sizes")), tag.Get("at")}
}

// size returns the size of the field in the layout i, 0 if the layout lacks it.
func (c columns) size(i int) int {
	n, _ := strconv.Atoi(c.sizes[i])
	return n
}

// elements returns the field, or the elements of an array. Each is a field with
// the element's type.
func (f field) elements() []field {
	length, typ, ok := strings.Cut(strings.TrimPrefix(f.typ, "["), "]")
	n, err := strconv.Atoi(length)
	if !ok || err != nil {
		return []field{f}
	}
	all := make([]field, n)
	for i := range all {
		all[i] = f
		all[i].typ = typ
		all[i].name += fmt.Sprintf("[%d]", i)
		all[i].wire += fmt.Sprintf("[%d]", i)
	}
	return all
}

// checkVariants reports a field whose tags do not fit the layouts.
func (p *codec) checkVariants(m *message) error {
	if m.variants.all != nil && (m.decode == nil || m.append == nil) {
		return fmt.Errorf("%s has several layouts and lacks decode or append", m.name)
	}
	for _, f := range m.fields {
		if len(f.sizes) != len(m.variants.all) {
			return fmt.Errorf("%s.%s has %d sizes for %d layouts", m.name, f.name, len(f.sizes), len(m.variants.all))
		}
		for i, s := range f.sizes {
			n := p.numberSize(f.elements()[0])
			if f.size(i) == 0 && s != "-" || n != 0 && f.size(i) != 0 && f.size(i) != n {
				return fmt.Errorf("%s.%s cannot have the size %s", m.name, f.name, s)
			}
		}
	}
	return nil
}

// numberSize returns the size of f if it is a number, else 0.
func (p *codec) numberSize(f field) int {
	bits, err := strconv.Atoi(strings.TrimPrefix(p.base(f.typ), "uint"))
	if err != nil || f.kind != "" {
		return 0
	}
	return bits / 8
}

// writeVariants writes the methods of a message with several layouts.
func (p *codec) writeVariants(out *bytes.Buffer, m *message) {
	p.writeOffsets(out, m)
	p.writeTexts(out, m)
	for _, f := range []struct {
		doc, signature, start string
		each                  func(f field, v variant, size int) string
	}{
		{"decodeLayout reads a %s of layout l.", "decodeLayout(r *wire.Reader, o Options, l %s)", "", p.readVariant},
		{"appendLayout appends a %s in layout l. It fails if a field is set that l lacks.", "appendLayout(w *wire.Writer, l %s)", "\tb := w.Block(l.size())\n", p.appendVariant},
		{"fitLayout clears the fields of a %s that layout l lacks, and shortens texts to their fields.", "fitLayout(l %s)", "", p.fitVariant},
	} {
		fmt.Fprintf(out, "\n%sfunc (m *%s) "+f.signature+" {\n%s\tswitch l {\n", comment(fmt.Sprintf(f.doc, m.name), ""), m.name, m.variants.typ, f.start)
		for i, v := range m.variants.all {
			fmt.Fprintf(out, "\tcase %s:\n", v.name)
			for _, whole := range m.fields {
				for _, e := range whole.elements() {
					out.WriteString(f.each(e, v, whole.size(i)))
				}
			}
		}
		out.WriteString("\t}\n}\n")
	}
}

// writeOffsets writes the methods of layouts that return sizes and offsets.
func (p *codec) writeOffsets(out *bytes.Buffer, m *message) {
	ends := make([]int, len(m.variants.all))
	for _, f := range m.fields {
		if f.at != "" {
			m.writeOffset(out, f.at, fmt.Sprintf("returns the offset of %s in a %s.", f.wire, m.name), ends)
		}
		for i := range ends {
			ends[i] += len(f.elements()) * f.size(i)
		}
	}
	m.writeOffset(out, "size", fmt.Sprintf("returns the size of a %s, in bytes.", m.name), ends)
}

// writeOffset writes one method, with its result for each layout.
func (m *message) writeOffset(out *bytes.Buffer, method, doc string, results []int) {
	fmt.Fprintf(out, "\n// %s %s\nfunc (l %s) %s() int {\n\tswitch l {\n", method, doc, m.variants.typ, method)
	var written []int
	for _, n := range results {
		if slices.Contains(written, n) {
			continue
		}
		written = append(written, n)
		var names []string
		for i, v := range m.variants.all {
			if results[i] == n {
				names = append(names, v.name)
			}
		}
		fmt.Fprintf(out, "\tcase %s:\n\t\treturn %d\n", strings.Join(names, ", "), n)
	}
	out.WriteString("\t}\n\treturn 0\n}\n")
}

// writeTexts writes the method that returns the texts of a message.
func (p *codec) writeTexts(out *bytes.Buffer, m *message) {
	var names []string
	for _, f := range m.fields {
		for _, e := range f.elements() {
			if p.base(e.typ) == "string" {
				names = append(names, "&m."+e.name)
			}
		}
	}
	fmt.Fprintf(out, "\n// texts returns the texts of the %s.\nfunc (m *%s) texts() [%d]*string {\n\treturn [...]*string{\n%s,\n}\n}\n",
		m.name, m.name, len(names), strings.Join(names, ",\n"))
}

// method returns the method of Reader and Block for a number of n bytes.
func (v variant) method(n int) string {
	method := fmt.Sprintf("Uint%d", 8*n)
	if v.le && n > 1 {
		method += "LE"
	}
	return method
}

func (p *codec) readVariant(f field, v variant, size int) string {
	switch n := p.numberSize(f); {
	case size == 0:
		return ""
	case n > 0:
		return fmt.Sprintf("\t\tm.%s = %s\n", f.name, convert(f.typ, p.base(f.typ), fmt.Sprintf("r.%s(%q)", v.method(n), f.wire)))
	}
	return fmt.Sprintf("\t\tm.%s = decode%s(r, o, %d, %q)\n", f.name, upper(f.kind), size, f.wire)
}

func (p *codec) appendVariant(f field, v variant, size int) string {
	switch n := p.numberSize(f); {
	case size == 0:
		return fmt.Sprintf("\t\tif m.%s != %s {\n\t\t\tw.Refuse(%q, \"does not exist in this layout\")\n\t\t}\n", f.name, p.zero(f), f.wire)
	case n > 0:
		return fmt.Sprintf("\t\tb.%s(%s)\n", v.method(n), convert(p.base(f.typ), f.typ, "m."+f.name))
	}
	return fmt.Sprintf("\t\tappend%s(w, &b, %d, %q, m.%s)\n", upper(f.kind), size, f.wire, f.name)
}

func (p *codec) fitVariant(f field, _ variant, size int) string {
	switch {
	case size == 0:
		return fmt.Sprintf("\t\tm.%s = %s\n", f.name, p.zero(f))
	case p.numberSize(f) > 0:
		return ""
	}
	return fmt.Sprintf("\t\tm.%s = Clip(m.%s, %d)\n", f.name, f.name, size-1)
}

// zero returns the zero value of f, which is a text or a number.
func (p *codec) zero(f field) string {
	if p.numberSize(f) > 0 {
		return "0"
	}
	return `""`
}
