package codectest

import (
	"maps"
	"slices"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// Bench measures parsing the largest golden file of each message, and appending the value.
func Bench(b *testing.B, lawOf func(t testing.TB, f golden.File) Law) {
	files := make(map[string]golden.File)
	laws := make(map[string]benchLaw)
	for _, f := range golden.Load(b) {
		law, ok := lawOf(b, f).(benchLaw)
		if name := f.Message(); ok && law.isSent(f.Data) && len(f.Data) > len(files[name].Data) {
			files[name], laws[name] = f, law
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		b.Run(name, func(b *testing.B) { laws[name].bench(b, files[name].Data) })
	}
}

// A benchLaw also measures its codec.
type benchLaw interface {
	isSent(in []byte) bool
	bench(b *testing.B, in []byte)
}

// isSent reports whether in can be parsed and encoded again.
func (c Codec[T]) isSent(in []byte) bool {
	m, err := c.Parse(in)
	if err != nil {
		return false
	}
	_, err = c.sendable(m).AppendBinary(nil)
	return err == nil
}

func (c Codec[T]) bench(b *testing.B, in []byte) {
	m, err := c.Parse(in)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("parse", func(b *testing.B) { BenchParse(b, in, c.Parse) })
	b.Run("append", func(b *testing.B) { BenchAppend(b, c.sendable(m).AppendBinary) })
}

// BenchParse measures parse, whose second result is an error, or true for success.
func BenchParse[T, R any](b *testing.B, in []byte, parse func(b []byte) (T, R)) {
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, result := parse(in); !isSuccess(result) {
			b.Fatalf("not parsed: %v", result)
		}
	}
}

// BenchAppend measures appending to a buffer that is large enough. The second result of
// appendTo is an error, or true for success.
func BenchAppend[R any](b *testing.B, appendTo func(b []byte) ([]byte, R)) {
	buf, _ := appendTo(nil)
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		if _, result := appendTo(buf[:0]); !isSuccess(result) {
			b.Fatalf("not appended: %v", result)
		}
	}
}

func isSuccess(result any) bool { return result == nil || result == true }
