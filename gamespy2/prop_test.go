package gamespy2_test

import (
	"runtime"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// compare compares messages. Selector and EchoData have unexported fields.
//
//wire:test
var compare = cmp.Options{
	cmp.Comparer(func(a, b gamespy2.Selector) bool { return a == b }),
	cmp.Comparer(func(a, b gamespy2.EchoData) bool { return a == b }),
	cmp.FilterPath(isDefaultSections, cmp.Ignore()),
}

// isDefaultSections reports whether a path leads to the Sections of a Response
// that has all: 0 stands for all, and a split response has all when it is parsed.
func isDefaultSections(p cmp.Path) bool {
	if p.Last().String() != ".Sections" {
		return false
	}
	a, _ := p.Index(-2).Values()
	m, ok := a.Interface().(gamespy2.Response)
	return ok && (m.Split || m.Sections == 0)
}

// values returns the codec for answers to a query that lists n keys.
func values(n int) codectest.Codec[gamespy2.Values] {
	parse := func(o gamespy2.Options) func([]byte) (gamespy2.Values, error) {
		return func(b []byte) (gamespy2.Values, error) { return o.ParseValues(b, n) }
	}
	return codectest.Codec[gamespy2.Values]{
		Parse:   parse(gamespy2.Options{}),
		Strict:  parse(gamespy2.Options{Strict: true}),
		Explain: func(b []byte) lobbywire.Explanation { return gamespy2.ExplainValues(b, n) },
	}
}

// number returns a number from the header of a golden file.
func number(t testing.TB, f golden.File, key string) int {
	n, err := strconv.Atoi(f.Header[key])
	if err != nil {
		t.Fatalf("%s: header %s: %v", f.Name, key, err)
	}
	return n
}

// responseMemory is what a Response takes beside 64 times its bytes, as the package
// documentation says: a table may have many more rows or columns than its start shows.
const responseMemory = 320 << 10

// Columns of one value each, in a row far down, make a large table of few bytes. Each
// starts a packet, since others start at row 0.
func TestSparseTableAllocatesLittle(t *testing.T) {
	var a gamespy2.Assembler
	size := 0
	for i := range gamespy2.MaxColumns {
		b := []byte("\x00\x01\x02\x03\x04splitnum\x00")
		b = append(b, byte(i), 1, 'a'+byte(i%26), 'a'+byte(i/26), '_', 0, 254, 'x', 0, 0)
		if i == gamespy2.MaxColumns-1 {
			b[14] |= 0x80
			b = append(b, "\x00\x02\x00"...)
		}
		size += len(b)
		if _, err := a.Add(b); err != nil {
			t.Fatal(err)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := a.Response()
	runtime.ReadMemStats(&after)
	wantError(t, err, lobbywire.ErrTooLarge, "packets[10].players.columns[10].name", 16)
	if got, limit := after.TotalAlloc-before.TotalAlloc, uint64(64*size+responseMemory); got > limit {
		t.Errorf("%d bytes allocate %d bytes, more than %d", size, got, limit)
	}
}

// codecWith returns the codec of a message for given options.
func codecWith[M codectest.Message](
	o gamespy2.Options,
	parse func(o gamespy2.Options, b []byte) (M, error),
	explain func(o gamespy2.Options, b []byte) lobbywire.Explanation,
) codectest.Codec[M] {
	strict := o
	strict.Strict = true
	return codectest.Codec[M]{
		Parse:   func(b []byte) (M, error) { return parse(o, b) },
		Strict:  func(b []byte) (M, error) { return parse(strict, b) },
		Explain: func(b []byte) lobbywire.Explanation { return explain(o, b) },
		Compare: compare,
	}
}

func requestCodecWith(o gamespy2.Options) codectest.Codec[gamespy2.Request] {
	return codecWith(o, gamespy2.Options.ParseRequest, gamespy2.ExplainWith[gamespy2.Request])
}

func responseCodecWith(o gamespy2.Options) codectest.Codec[gamespy2.Response] {
	return codecWith(o, gamespy2.Options.ParseResponse, gamespy2.ExplainWith[gamespy2.Response])
}

// specialLaw returns the law of a golden file that needs more than its message.
//
//wire:test
func specialLaw(t testing.TB, f golden.File) codectest.Law {
	switch f.Message() {
	case "Request":
		if f.Header["Challenge"] != "" {
			return requestCodecWith(gamespy2.Options{Challenge: true})
		}
	case "Response":
		codec := responseCodec
		if f.Header["Part"] != "" {
			codec = responseCodecWith(gamespy2.Options{Part: true})
		}
		codec.Memory = responseMemory
		return codec
	case "Values":
		return values(number(t, f, "Keys"))
	}
	return nil
}

// optionsFor returns the Options for parsing the encoding of m.
//
//wire:test
func optionsFor(m any) gamespy2.Options {
	switch m := m.(type) {
	case gamespy2.Request:
		return gamespy2.Options{Challenge: m.HasChallenge}
	case gamespy2.Response:
		if m.Sections == 0 {
			return gamespy2.Options{Sections: gamespy2.AllSections}
		}
		return gamespy2.Options{Sections: m.Sections}
	}
	return gamespy2.Options{}
}

// Values are parsed as the answer to a query for as many keys.
func TestRandomListsOfValuesObeyTheLaws(t *testing.T) {
	codec := values(2)
	codec.ParseFor = func(m gamespy2.Values, strict bool) func([]byte) (gamespy2.Values, error) {
		if strict {
			return values(len(m.Values)).Strict
		}
		return values(len(m.Values)).Parse
	}
	codec.RandomValues(t)
}
