package main

import (
	"bytes"
	"fmt"
	"strings"
)

// A message can consist of chunks. Any of them may be missing. Its directive names the
// type of a set of chunks, and the tags of the fields mark the chunks:
//
//	//wire:message chunks=Chunks
//	type Response struct {
//		Info  *Info  `wire:"info,chunk"`
//		Rules []Rule `wire:"rules,chunk"`
//	}
//
// They are in the order of the bits of a set, the order of the wire. The constant of the
// field Info is ChunkInfo. A chunk that is nil is missing. A chunk is a pointer to a type
// with the directive //wire:layout, or the package has functions for it:
//
//	func decodeRules(r *wire.Reader, o Options) []Rule
//	func appendRules(w *wire.Writer, v []Rule)
//
// The package also has functions that append what is before a chunk, and complete it:
//
//	func openChunk(w *wire.Writer) (at int)
//	func sealChunk(w *wire.Writer, at int)
//
// The message has decode and append, which call decodeChunk and appendChunks.
const chunk = "chunk"

var (
	chunkForm = kindForm{
		[]string{"*wire.Reader", "Options"},
		[]string{"*wire.Writer"},
	}
	chunkFunctions = []string{"openChunk", "sealChunk"}
)

// checkChunks fails if the package lacks what the chunks of m need.
func (p *codec) checkChunks(m *message) error {
	if m.chunkSet == "" {
		return nil
	}
	switch {
	case p.types[m.chunkSet] == "":
		return p.mistake(m.at, m.name, "chunks=%s: the package has no such type", m.chunkSet)
	case len(m.chunks) == 0:
		return p.mistake(m.at, m.name, "chunks=%s: no field has the kind %s", m.chunkSet, chunk)
	}
	for _, name := range chunkFunctions {
		if p.functions[name] == nil {
			return p.mistake(m.at, m.name, "chunks=%s: the package has no function %s", m.chunkSet, name)
		}
	}
	for _, f := range m.chunks {
		what := m.name + "." + f.name
		if !p.values[f.chunkConstant()] {
			return p.mistake(f.at, what, "the package has no constant %s", f.chunkConstant())
		}
		if p.isLayout(f) {
			continue
		}
		x := upper(f.wire)
		if !p.isKind(x, f.typ, chunkForm) {
			return p.mistake(f.at, what,
				"%s is no pointer to a type with //%s, and the package lacks decode%s(%s) %[1]s or "+
					"append%[3]s(%[5]s, %[1]s)",
				f.typ, directiveLayout, x, strings.Join(chunkForm.decode, ", "), chunkForm.appends[0])
		}
	}
	return nil
}

// isLayout reports whether f is a pointer to a type whose layout tags declare.
func (p *codec) isLayout(f field) bool {
	typ, isPointer := strings.CutPrefix(f.typ, "*")
	for _, m := range p.messages {
		if isPointer && m.part && m.name == typ {
			return true
		}
	}
	return false
}

// chunkConstant returns the name of the constant of the chunk f.
func (f field) chunkConstant() string { return upper(chunk) + f.name }

// writeChunks writes what decodes, appends and copies the chunks of m, and what lists them.
func (p *codec) writeChunks(out *bytes.Buffer, m *message) {
	if m.chunkSet == "" {
		return
	}
	var names, decode, appends, list, take strings.Builder
	for _, f := range m.chunks {
		reads := fmt.Sprintf("m.%s = decode%s(r, o)", f.name, upper(f.wire))
		writes := fmt.Sprintf("append%s(w, m.%s)", upper(f.wire), f.name)
		if p.isLayout(f) {
			reads = fmt.Sprintf("m.%s = new(%s)\n\t\tm.%[1]s.decode(r, o)", f.name, strings.TrimPrefix(f.typ, "*"))
			writes = fmt.Sprintf("w.In(%q, -1)\n\t\tm.%s.append(w)", f.wire, f.name)
		}
		constant := f.chunkConstant()
		fmt.Fprintf(&names, "%q, ", f.wire)
		fmt.Fprintf(&decode, "\tcase %s:\n\t\t%s\n", constant, reads)
		fmt.Fprintf(&appends, "\tif m.%s != nil {\n\t\tat := openChunk(w)\n\t\t%s\n\t\tsealChunk(w, at)\n\t}\n", f.name,
			writes)
		fmt.Fprintf(&list, "\tif m.%s != nil {\n\t\tc |= %s\n\t}\n", f.name, constant)
		fmt.Fprintf(&take, "\tif from.%s != nil {\n\t\tm.%[1]s = from.%[1]s\n\t}\n", f.name)
	}
	fmt.Fprintf(out, `
// chunkNames are in the order of the bits, the order on the wire.
var chunkNames = [...]string{%[3]s}

// decodeChunk reads one chunk.
func (m *%[1]s) decodeChunk(r *wire.Reader, o Options, chunk %[2]s) {
	switch chunk {
%[4]s	}
}

// appendChunks appends the chunks that are not nil.
func (m *%[1]s) appendChunks(w *wire.Writer) {
%[5]s}

// Chunks returns the chunks that m has.
func (m %[1]s) Chunks() (c %[2]s) {
%[6]s	return c
}

// Take replaces chunks of m by the chunks that from has. Both share them afterwards.
func (m *%[1]s) Take(from %[1]s) {
%[7]s}
`, m.name, m.chunkSet, strings.TrimSuffix(names.String(), ", "), decode.String(), appends.String(), list.String(),
		take.String())
}
