package wzjson_test

import (
	"bytes"
	"encoding/json"
	"net/netip"
	"slices"

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

// loose reports whether a message has a tech other than T1, T2 and T3, or lacks what
// Strict requires.
//
//wire:test
func loose(m any) bool {
	switch m := m.(type) {
	case wzjson.Add:
		return !m.Tech.Valid() || m.MaxPlayers == 0
	case wzjson.Update:
		return hasOtherTech(m.Fields)
	case wzjson.List:
		return slices.ContainsFunc(m.Filter, hasOtherTech)
	case wzjson.ListAck:
		return slices.ContainsFunc(m.Games, func(g wzjson.Game) bool {
			return g.Name == "" || g.Map == "" || !g.Tech.Valid() || g.MaxPlayers == 0
		})
	}
	return false
}

func hasOtherTech(f wzjson.Fields) bool { return f.Tech != nil && !f.Tech.Valid() }
