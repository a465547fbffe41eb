package main

import (
	"bytes"
	"fmt"
)

// The directive of a message whose fields have fixed sizes can require constants for their
// offsets:
//
//	//wire:message type=TypeQuery offsets
//	type Packet struct {
//		Token uint32 `wire:"token"`
//		Body  []byte
//	}
//
// These are packetTokenOffset and packetHeaderSize, the size of all fields with tags.

// fixedSizes are the sizes of types, in bytes.
var fixedSizes = map[string]int{
	"uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8, "int32": 4, "[4]byte": 4,
}

// size returns the size of f in bytes, or 0 if it varies.
func (p *codec) size(f field) int {
	if f.kind != "" && f.kind != "le" {
		return 0
	}
	return fixedSizes[p.base(f.typ)]
}

// checkOffsets fails if m needs the offset of a field after one whose size varies.
func (p *codec) checkOffsets(m *message) error {
	if !m.offsets {
		return nil
	}
	for _, f := range m.fields {
		if p.size(f) == 0 {
			return p.mistake(f.at, m.name+"."+f.name, "its size varies, which the word offsets does not allow")
		}
	}
	return nil
}

// writeOffsets writes the constants for the offsets of the fields of m.
func (p *codec) writeOffsets(out *bytes.Buffer, m *message) {
	if !m.offsets {
		return
	}
	at := 0
	for _, c := range m.consts {
		at += c.bits() / 8
	}
	fmt.Fprintf(out, "\n// Offsets of the fields of a [%s], and the size of these fields.\nconst (\n", m.name)
	for _, f := range m.fields {
		fmt.Fprintf(out, "\t%s%sOffset = %d\n", lower(m.name), upper(f.wire), at)
		at += p.size(f)
	}
	fmt.Fprintf(out, "\t%sHeaderSize = %d\n)\n", lower(m.name), at)
}
