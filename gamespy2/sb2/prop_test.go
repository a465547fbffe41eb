package sb2_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// compare compares messages with addresses.
//
//wire:test
var compare = cmp.Options{
	cmp.Comparer(func(a, b netip.Addr) bool { return a == b }),
	cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b }),
}

// codecWith returns the codec of a message for given options.
func codecWith[M codectest.Message](
	o sb2.Options,
	parse func(o sb2.Options, b []byte) (M, error),
	explain func(o sb2.Options, b []byte) lobbywire.Explanation,
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

func listCodecWith(o sb2.Options) codectest.Codec[sb2.List] {
	return codecWith(o, sb2.Options.ParseList, sb2.ExplainWith[sb2.List])
}

func pushServerCodecWith(o sb2.Options) codectest.Codec[sb2.PushServer] {
	return codecWith(o, sb2.Options.ParsePushServer, sb2.ExplainWith[sb2.PushServer])
}

// specialLaw returns the law of a golden file that needs more than its message.
//
//wire:test
func specialLaw(t testing.TB, f golden.File) codectest.Law {
	o := optionsOf(t, f)
	switch f.Message() {
	case "Answer":
		return answers(sourceOf(t, f))
	case "List":
		return listCodecWith(o)
	case "PushServer":
		return pushServerCodecWith(o)
	}
	return nil
}

// optionsOf returns the Options that a golden file needs.
func optionsOf(t testing.TB, f golden.File) (o sb2.Options) {
	t.Helper()
	o.NoList = f.Header["NoList"] == "yes"
	for name := range strings.FieldsFuncSeq(f.Header["Fields"], func(c rune) bool { return c == ',' }) {
		var k sb2.Key
		if err := k.UnmarshalText([]byte(name)); err != nil {
			t.Fatal(err)
		}
		o.Keys = append(o.Keys, k)
	}
	return o
}

// A source is what an answer is encrypted for.
type source struct {
	secret  string
	request sb2.ListRequest
}

// sourceOf returns the source that a golden file names.
func sourceOf(t testing.TB, f golden.File) source {
	t.Helper()
	request, err := sb2.ParseListRequest(golden.Read(t, f.Header["Request"]))
	if err != nil {
		t.Fatal(err)
	}
	return source{f.Header["Secret"], request}
}

// answers returns the codec for answers to a source.
func answers(s source) codectest.Codec[sb2.Answer] {
	parse := func(o sb2.Options) func([]byte) (sb2.Answer, error) {
		return func(b []byte) (sb2.Answer, error) { return o.ParseAnswer(b, s.secret, s.request) }
	}
	return codectest.Codec[sb2.Answer]{
		Parse:   parse(sb2.Options{}),
		Strict:  parse(sb2.Options{Strict: true}),
		Explain: func(b []byte) lobbywire.Explanation { return sb2.ExplainAnswer(b, s.secret, s.request) },
		Compare: compare,
		ParseFor: func(m sb2.Answer, strict bool) func([]byte) (sb2.Answer, error) {
			request := sb2.ListRequest{Challenge: m.Challenge}
			if m.List.NoList {
				request.Options = sb2.OptionNoList
			}
			codec := answers(source{m.Secret, request})
			if strict {
				return codec.Strict
			}
			return codec.Parse
		},
	}
}

func TestRandomAnswersObeyTheLaws(t *testing.T) {
	for _, f := range golden.Load(t) {
		if f.Name == "answer" {
			answers(sourceOf(t, f)).RandomValues(t)
		}
	}
}

// optionsFor returns the Options for parsing the encoding of m.
//
//wire:test
func optionsFor(m any) sb2.Options {
	switch m := m.(type) {
	case sb2.List:
		return sb2.Options{NoList: m.NoList}
	case sb2.PushServer:
		return sb2.Options{Keys: m.Keys}
	}
	return sb2.Options{}
}
