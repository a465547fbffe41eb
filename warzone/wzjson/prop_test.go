package wzjson_test

import (
	"bytes"
	"encoding/json"
	"net/netip"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// compare compares messages. The JSON form of a message has unknown members
// without white space, so they are compared without it.
//
//wire:test
var compare = cmp.Options{
	cmpopts.EquateComparable(netip.Addr{}),
	cmp.Comparer(func(a, b json.RawMessage) bool {
		return (a == nil) == (b == nil) && bytes.Equal(compact(a), compact(b))
	}),
}

func compact(text []byte) []byte {
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		return text
	}
	return out.Bytes()
}

// parseStrictly returns parse with Options.Strict.
//
//wire:test
func parseStrictly[M any](parse func(wzjson.Options, []byte) (M, error)) func(b []byte) (M, error) {
	return func(b []byte) (M, error) { return parse(wzjson.Options{Strict: true}, b) }
}
