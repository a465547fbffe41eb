package gamespy1_test

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/internal/test/suite"
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

// checkStrict checks that both parsers return the same value if the strict one
// accepts b, and that the strict parser obeys the law of truncation.
func checkStrict[T any](t testing.TB, b []byte, name string, strict, tolerant func(b []byte) (T, error)) {
	t.Helper()
	v, err := strict(b)
	w, tolerantErr := tolerant(b)
	if err == nil {
		if tolerantErr != nil {
			t.Fatalf("%s %x: strict takes it, tolerant fails: %v", name, b, tolerantErr)
		}
		if diff := codectest.Diff(w, v, compare); diff != "" {
			t.Fatalf("%s %x (-tolerant +strict):\n%s", name, b, diff)
		}
	}
	if len(b) == 0 || err != nil && kindOf(err) != lobbywire.ErrTruncated {
		return
	}
	if _, before := strict(b[:len(b)-1]); before != nil && kindOf(before) != lobbywire.ErrTruncated {
		t.Fatalf("%s %x can be or become valid strictly, but without its last byte: %v", name, b, before)
	}
}

// kindOf returns the kind of an error.
func kindOf(err error) error {
	kind := err.(*lobbywire.Error).Err
	if wrapped := errors.Unwrap(kind); wrapped != nil {
		return wrapped
	}
	return kind
}

// checkAllStrict runs checkStrict for every parser with options.
func checkAllStrict(t testing.TB, b []byte) {
	t.Helper()
	o := gamespy1.Options{Strict: true}
	checkStrict(t, b, "Request", o.ParseRequest, gamespy1.ParseRequest)
	checkStrict(t, b, "Secure", o.ParseSecure, gamespy1.ParseSecure)
	checkStrict(t, b, "Echo", o.ParseEcho, gamespy1.ParseEcho)
	checkStrict(t, b, "Greeting", o.ParseGreeting, gamespy1.ParseGreeting)
	checkStrict(t, b, "ServerList", o.ParseServerList, gamespy1.ParseServerList)
	checkStrict(t, b, "ListRequest", o.ParseListRequest, gamespy1.ParseListRequest)
	checkStrict(t, b, "AddressList", o.ParseAddressList, gamespy1.ParseAddressList)
	checkStrict(t, b, "SyncRequest", o.ParseSyncRequest, gamespy1.ParseSyncRequest)
	checkStrict(t, b, "SyncList", o.ParseSyncList, gamespy1.ParseSyncList)
	checkStrict(t, b, "ToListPort", o.ParseToListPort, gamespy1.ParseToListPort)
	checkStrict(t, b, "ToMaster", o.ParseToMaster, gamespy1.ParseToMaster)
	checkStrict(t, b, "ToServer", o.ParseToServer, gamespy1.ParseToServer)
}

func TestStrictGolden(t *testing.T) {
	for _, f := range golden.Load(t) {
		for n := range min(len(f.Data), suite.Pick(100, 400)) + 1 {
			checkAllStrict(t, f.Data[:n])
		}
	}
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
