package wzhttp_test

import (
	"bytes"
	"encoding/json"
	"net/netip"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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
