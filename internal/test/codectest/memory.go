package codectest

import (
	"cmp"
	"runtime"
	"slices"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// Parsing n bytes allocates at most memoryFactor*n bytes, and memoryBase or Codec.Memory
// more. A result keeps less than that, since it shares no memory with the input.
const (
	memoryFactor = 64
	memoryBase   = 24 << 10
)

const (
	stretchedSize = 1400     // bytes of a stretched input: a datagram that no router splits
	longSize      = 16 << 10 // bytes of a long one: an answer in many datagrams
	longestRecord = 8        // fields that are repeated together
	longEvery     = 4        // every fourth record is tried in a long input too
)

// maxRecords is the number of records of a golden file that are tried.
var maxRecords = suite.Pick(24, 96)

// CheckMemory tests the memory that parsing b allocates, and parsing b with any of its
// records repeated until it fills a datagram, and with some until it fills many. The texts
// of the copies differ, and in one try numbers of one byte are large, because they may be
// counts and indexes.
func (c Codec[T]) CheckMemory(t testing.TB, b []byte) {
	t.Helper()
	inputs := [][]byte{b}
	fields := c.Explain(b).Fields
	tries := 0
	for length := 1; length <= longestRecord; length++ {
		for first := 0; first+length <= len(fields) && tries < maxRecords; first++ {
			record := fields[first : first+length]
			if recordSize(record) == 0 {
				continue
			}
			tries++
			inputs = append(inputs, stretched(b, record, stretchedSize, false), stretched(b, record, stretchedSize, true))
			if tries%longEvery == 1 {
				inputs = append(inputs, stretched(b, record, longSize, false))
			}
		}
	}
	for some := range slices.Chunk(inputs, 8) {
		c.checkMemory(t, some)
	}
}

func recordSize(record []lobbywire.Field) (n int) {
	for _, f := range record {
		n += f.Length
	}
	return n
}

// stretched returns b with a record repeated until it has size bytes. If large is set, its
// numbers of one byte are large.
func stretched(b []byte, record []lobbywire.Field, size int, large bool) []byte {
	start := record[0].Offset
	end := start + recordSize(record)
	out := slices.Clone(b[:start])
	for n := 0; len(out)+len(b)-end < size; n++ {
		at := len(out) - start
		out = append(out, b[start:end]...)
		for _, f := range record {
			switch value := out[at+f.Offset:][:f.Length]; {
			case len(value) == 1 && large && value[0] != 0:
				value[0] = 0xfe
			case len(value) == 1 && large && f.Name == "start":
				value[0] = 0xfe
			case len(value) > 2:
				value[0] = 'a' + byte(n%26)
				value[1] = 'a' + byte(n/26%26)
			}
		}
	}
	return append(out, b[end:]...)
}

// checkMemory tests the memory that parsing some inputs allocates. Reading the memory
// statistics stops the program, so inputs are measured together if their sum is within the
// limit of each.
func (c Codec[T]) checkMemory(t testing.TB, inputs [][]byte) {
	t.Helper()
	shortest := slices.MinFunc(inputs, func(a, b []byte) int { return cmp.Compare(len(a), len(b)) })
	limit := uint64(memoryFactor*len(shortest) + cmp.Or(c.Memory, memoryBase))
	n := c.allocated(inputs, limit)
	if n <= limit {
		return
	}
	if len(inputs) == 1 {
		t.Errorf("%d bytes, %.120q, allocate %d bytes, more than %d", len(shortest), shortest, n, limit)
		return
	}
	c.checkMemory(t, inputs[:len(inputs)/2])
	c.checkMemory(t, inputs[len(inputs)/2:])
}

// allocated returns the number of bytes that Parse allocates for all inputs. Other goroutines
// may allocate at the same time, so for one input it tries again for a number within the
// limit.
func (c Codec[T]) allocated(inputs [][]byte, limit uint64) uint64 {
	least := ^uint64(0)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, b := range inputs {
			_, _ = c.Parse(b)
		}
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
		if least <= limit || len(inputs) > 1 {
			break
		}
	}
	return least
}
