package main

import (
	"strings"
	"testing"
)

// answer has two chunks without a mistake.
const answer = `
// An Answer consists of chunks.
//
//wire:message chunks=Chunks
type Answer struct {
	Info  *Info  'wire:"info,chunk"'
	Rules []Rule 'wire:"rules,chunk"'
}

//wire:layout
type Info struct {
	Port uint16 'wire:"port"'
}

type Rule struct{}

type Chunks uint8

const (
	ChunkInfo Chunks = 1 << iota
	ChunkRules
)

func (m *Answer) decode(r *wire.Reader, o Options, chunks Chunks) {}

//wire:fails never
func (m *Answer) append(w *wire.Writer) {}

func decodeRules(r *wire.Reader, o Options) []Rule { return nil }
func appendRules(w *wire.Writer, rules []Rule)     {}

func openChunk(w *wire.Writer) (at int) { return 0 }
func sealChunk(w *wire.Writer, at int)  {}
`

func TestChunks(t *testing.T) {
	text, err := generateSource(t, "package sample\n"+answer)
	if err != nil {
		t.Fatal(err)
	}
	const want = `
// chunkNames are in the order of the bits, the order on the wire.
var chunkNames = [...]string{"info", "rules"}

// decodeChunk reads one chunk.
func (m *Answer) decodeChunk(r *wire.Reader, o Options, chunk Chunks) {
	switch chunk {
	case ChunkInfo:
		m.Info = new(Info)
		m.Info.decode(r, o)
	case ChunkRules:
		m.Rules = decodeRules(r, o)
	}
}

// appendChunks appends the chunks that are not nil.
func (m *Answer) appendChunks(w *wire.Writer) {
	if m.Info != nil {
		at := openChunk(w)
		w.In("info", -1)
		m.Info.append(w)
		sealChunk(w, at)
	}
	if m.Rules != nil {
		at := openChunk(w)
		appendRules(w, m.Rules)
		sealChunk(w, at)
	}
}

// Chunks returns the chunks that m has.
func (m Answer) Chunks() (c Chunks) {
	if m.Info != nil {
		c |= ChunkInfo
	}
	if m.Rules != nil {
		c |= ChunkRules
	}
	return c
}

// Take replaces chunks of m by the chunks that from has. Both share them afterwards.
func (m *Answer) Take(from Answer) {
	if from.Info != nil {
		m.Info = from.Info
	}
	if from.Rules != nil {
		m.Rules = from.Rules
	}
}
`
	if !strings.Contains(text, want) {
		t.Errorf("missing: %s\nin: %s", want, text)
	}
}

func TestMistakesInChunks(t *testing.T) {
	for _, tt := range []declared{
		{answer, "", "", ""},
		{answer, " chunks=Chunks", "", "7: Answer.Info: is a chunk, and the directive has no word chunks="},
		{answer, "=Chunks", "=Set", "5: Answer: chunks=Set: the package has no such type"},
		{answer, ",chunk\"'\n", ",chunk=ChunkInfo\"'\n",
			"7: Answer.Info: unknown word chunk=ChunkInfo in the tag; only key has a value"},
		{ping + "\ntype Chunks uint8\n", "type=TypePing", "chunks=Chunks type=0",
			"5: Ping: chunks=Chunks: no field has the kind chunk"},
		{answer, "ChunkInfo Chunks", "ChunkInfos Chunks", "7: Answer.Info: the package has no constant ChunkInfo"},
		{answer, "openChunk", "open", "5: Answer: chunks=Chunks: the package has no function openChunk"},
		{answer, "appendRules(w *wire.Writer", "appendRules(o Options",
			"8: Answer.Rules: []Rule is no pointer to a type " +
				"with //wire:layout, and the package lacks decodeRules(*wire.Reader, Options) []Rule " +
				"or appendRules(*wire.Writer, []Rule)"},
		{answer, "//wire:layout\n", "//\n", "13: Info: has a tag with wire and no directive; " +
			"known are //wire:message, //wire:layout and //wire:object"},
	} {
		tt.judge(t)
	}
}
