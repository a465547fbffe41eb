package wzproposal_test

import (
	cmpx "cmp"
	"errors"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// compare compares messages, and an empty filter as the filter that is sent for it.
var compare = cmp.Options{
	cmpopts.EquateComparable(netip.Addr{}),
	cmp.Comparer(func(a, b wzproposal.List) bool { return cmpx.Or(a.Filter, "*") == cmpx.Or(b.Filter, "*") }),
}

// loose reports whether a message is a List with another filter than *, which Strict
// refuses.
func loose(m any) bool {
	list, ok := m.(wzproposal.List)
	return ok && list.Filter != wzproposal.AllGames
}

type options = wzproposal.Options

// strict reads as the column Options.Strict of the package documentation says.
func strict(e wzproposal.Encoding) wzproposal.Options {
	return wzproposal.Options{Encoding: e, Strict: true}
}

// addGolden adds the golden files to the seeds of f.
func addGolden(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data)
	}
}

// The functions Explain explain the text encoding.
func TestExplainsTheTextEncoding(t *testing.T) {
	want := wzproposal.ExplainWith[wzproposal.OpenGame](options{}, []byte(openGameLine))
	if diff := cmp.Diff(want, wzproposal.Explain[wzproposal.OpenGame]([]byte(openGameLine))); diff != "" ||
		len(want.Fields) != 6 {
		t.Errorf("%d fields (-want +got):\n%s", len(want.Fields), diff)
	}
	want = options{}.ExplainRequest([]byte(openGameLine))
	if diff := cmp.Diff(want, wzproposal.ExplainRequest([]byte(openGameLine))); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	want = options{}.ExplainResponse([]byte(bananaRow))
	if diff := cmp.Diff(want, wzproposal.ExplainResponse([]byte(bananaRow))); diff != "" {
		t.Errorf("response (-want +got):\n%s", diff)
	}
}

// checkStrict checks that what Strict accepts can be appended, and is parsed again.
func checkStrict(t *testing.T, e wzproposal.Encoding, b []byte) {
	t.Helper()
	if m, err := strict(e).ParseRequest(b); err == nil {
		checkAppended(t, e, m, strict(e).ParseRequest)
	}
	if m, err := strict(e).ParseResponse(b); err == nil {
		checkAppended(t, e, m, strict(e).ParseResponse)
	}
	if m, err := strict(e).ParseGame(b); err == nil {
		checkAppended(t, e, m, strict(e).ParseGame)
	}
}

// checkAppended wants m to be parsed from what it is appended as.
func checkAppended[T wzproposal.Message](t *testing.T, e wzproposal.Encoding, m T, parse func([]byte) (T, error)) {
	t.Helper()
	b, err := e.Append(nil, m)
	if err != nil {
		t.Fatalf("%+v is strictly valid, but: %v", m, err)
	}
	got, err := parse(b)
	if err != nil {
		t.Fatalf("%q appended, but: %v", b, err)
	}
	if diff := cmp.Diff(m, got, compare); diff != "" {
		t.Fatalf("appended and parsed (-want +got):\n%s", diff)
	}
}

// What plain parsing keeps and appending refuses.
func TestKeepsWhatAppendRefuses(t *testing.T) {
	for _, tt := range []struct {
		name   string
		fields []string
		field  string // that Append and Strict refuse
	}{
		{"NUL", []string{"1.2.3.4", "1", "a\x00b", "c", "2", "open"}, "name"},
		{"CR", []string{"1.2.3.4", "1", "a", "c\r", "2", "open"}, "map"},
		{"CR before the end", []string{"1.2.3.4", "1", "a", "c", "2", "open\r\r"}, "status"},
		{"Latin-1", []string{"1.2.3.4", "1", "Gr\xfc\xdfe", "c", "2", "open"}, "name"},
		{"zone with CR", []string{"::1%\r", "1", "a", "c", "2", "open"}, "ip"},
		{"status of two words", []string{"1.2.3.4", "1", "a", "c", "2", "half full"}, "status"},
		{"no status", []string{"1.2.3.4", "1", "a", "c", "2", ""}, "status"},
	} {
		checkKept(t, wzproposal.Text, tt.name, line(tt.fields...), tt.field)
		checkKept(t, wzproposal.Binary, tt.name, game(tt.fields...), tt.field)
	}
	checkKept(t, wzproposal.Binary, "TAB", game("1.2.3.4", "1", "a\tb", "c", "2", "open"), "name")
	checkKept(t, wzproposal.Binary, "LF", game("1.2.3.4", "1", "a", "c\n", "2", "open"), "map")
}

func checkKept(t *testing.T, e wzproposal.Encoding, name, in, field string) {
	t.Helper()
	m, err := wzproposal.Options{Encoding: e}.ParseGame([]byte(in))
	if err != nil {
		t.Errorf("%s, %s: %v", name, e, err)
		return
	}
	if e == wzproposal.Binary {
		gameCodec.binary.Check(t, []byte(in))
	} else {
		gameCodec.text.Check(t, []byte(in))
	}
	_, refusal := e.Append(nil, m)
	_, strictly := strict(e).ParseGame([]byte(in))
	for _, err := range []error{refusal, strictly} {
		var got *lobbywire.Error
		if !errors.As(err, &got) || got.Field != field || !errors.Is(err, lobbywire.ErrInvalid) {
			t.Errorf("%s, %s: %v, want a refusal of %s", name, e, err, field)
		}
	}
}
