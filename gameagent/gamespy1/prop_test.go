package gamespy1_test

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// compare compares messages with addresses.
//
//wire:test
var compare = cmp.Options{cmpopts.EquateComparable(netip.AddrPort{})}

// specialLaw returns the law of a golden file that needs more than its message.
//
//wire:test
func specialLaw(t testing.TB, f golden.File) codectest.Law {
	if f.Message() == "Status" {
		return answersWith(gamespy1.Options{Query: queryOf(t, f), Part: f.Header["Part"] != ""})
	}
	return nil
}

// optionsFor returns the Options for parsing the encoding of m.
//
//wire:test
func optionsFor(m any) gamespy1.Options {
	status, _ := m.(gamespy1.Status)
	return gamespy1.Options{Query: status.Query}
}

// answers returns the codec of the answers to a query.
func answers(q gamespy1.Query) codectest.Codec[gamespy1.Status] {
	return answersWith(gamespy1.Options{Query: q})
}

func answersWith(o gamespy1.Options) codectest.Codec[gamespy1.Status] {
	return codectest.Codec[gamespy1.Status]{
		Parse:   o.ParseStatus,
		Explain: func(b []byte) lobbywire.Explanation { return gamespy1.ExplainWith[gamespy1.Status](o, b) },
		Compare: compare,
	}
}

// queryOf returns the query that a golden file answers.
func queryOf(t testing.TB, f golden.File) gamespy1.Query {
	name := f.Header["Query"]
	if name == "" {
		return gamespy1.QueryStatus
	}
	for q := gamespy1.QueryStatus; q <= gamespy1.QueryRules; q++ {
		if q.String() == name {
			return q
		}
	}
	t.Fatalf("%s: unknown query %s", f.Name, name)
	return 0
}
