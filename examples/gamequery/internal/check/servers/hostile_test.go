package servers

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// If a server is dead after a case, the case fails with its packets, and the run ends.
func TestDeadServerEndsTheRun(t *testing.T) {
	s := ourSQP()
	s.SetView(fuzzharness.SQPEdges().States()[0].View)
	dead := false
	r := sqpSuite().Run(t.Context(), &Responder{Respond: func(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
		dead = dead || len(req) == 4 // as of sqp/3.3, which need not be answered
		if dead {
			return dst
		}
		return nettest.Answers(s.Respond(from, req, dst))
	}}, check.Options{})
	last := r.Findings[len(r.Findings)-1]
	if last.ID != "sqp/3.3" || last.Result != check.Fail || !errors.Is(last.Err, check.ErrDied) ||
		len(last.Packets) == 0 || r.Stopped == "" || r.Count(check.Fail, "") != 1 {
		t.Errorf("%s %s: %v; stopped: %q", last.ID, last.Result, last.Err, r.Stopped)
	}
}

// Reports of a server that floods are bounded, in each form, and print no control characters.
func TestReportsAreBounded(t *testing.T) {
	t.Parallel()
	const most = 6 << 20
	packets := suite.Pick(20, 100)
	flood := bytes.Repeat([]byte("\x1b]0;evil\x07\x00\xff"), 6000)
	for _, protocol := range Protocols() {
		cases := Suite(protocol)
		r := cases.Run(t.Context(), &Responder{Respond: func(_ netip.AddrPort, req []byte, dst [][]byte) [][]byte {
			for range packets {
				dst = append(dst, append(bytes.Clone(req), flood...))
			}
			return dst
		}}, check.Options{})
		d := check.NewDocument(cases)
		text, document, junit := written(t, d, r, nil)
		for _, out := range []string{text, document, junit} {
			if len(out) > most || strings.ContainsAny(out, "\x1b\x07\x00") {
				t.Errorf("%s: %d bytes, or control characters", protocol, len(out))
			}
		}
	}
}

// written returns a report in each form. err is the error that ended the run, or nil.
func written(t *testing.T, d *check.Document, r check.Report, end error) (text, document, junit string) {
	t.Helper()
	var ofText, ofJSON, ofJUnit strings.Builder
	for _, f := range r.Findings {
		d.Add(f)
		if err := d.WriteCase(&ofText); err != nil {
			t.Fatal(err)
		}
	}
	d.Complete(r)
	if err := errors.Join(d.WriteEnd(&ofText), d.WriteJSON(&ofJSON), d.WriteJUnit(&ofJUnit, end)); err != nil {
		t.Fatal(err)
	}
	return ofText.String(), ofJSON.String(), ofJUnit.String()
}

// Whatever the texts of a server contain, the report in JSON is one line, and the JUnit file is
// valid XML. Neither contains characters that end lines, control a terminal or change the direction
// of writing.
func TestReportsEscapeHostileTexts(t *testing.T) {
	const hostile = "a]]>b</failure><!--\u2028\u2029\u202e\u2066\u0085\ufffe\uffff\x1b[2J\r\n&#0;&evil;\x00" +
		"\xff\xc0\xaf\xed\xa0\x80\U000e0001e\u0301\u0301\u0301\u0301\u0301"
	view := lobbywire.View{Name: hostile, Map: hostile, Mode: hostile, Version: hostile, Players: new(2), Max: new(16),
		Roster: []lobbywire.Player{{Name: hostile}, {Name: hostile}}}
	for _, protocol := range Protocols() {
		suite := Suite(protocol)
		r := suite.Run(t.Context(), &Responder{Respond: func(_ netip.AddrPort, req []byte, dst [][]byte) [][]byte {
			return append(dst, slices.Concat(req, []byte(hostile)), []byte(hostile), []byte(`\hostname\`+hostile))
		}}, check.Options{})
		r.Misread = []string{hostile}
		for i := range r.Findings {
			r.Findings[i].Err = errors.Join(r.Findings[i].Err, errors.New(hostile))
		}
		d := check.NewDocument(suite)
		d.View = &view
		d.Join = hostile
		text, document, junit := written(t, d, r, errors.New(hostile))
		if line, rest, _ := strings.Cut(document, "\n"); rest != "" || !json.Valid([]byte(line)) {
			t.Errorf("%s: the JSON is not one line of JSON", protocol)
		}
		read := xml.NewDecoder(strings.NewReader(junit))
		cases := 0
		for {
			token, err := read.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: JUnit: %v", protocol, err)
			}
			if _, isComment := token.(xml.Comment); isComment {
				t.Errorf("%s: a text has become a comment", protocol)
			}
			if start, isStart := token.(xml.StartElement); isStart && start.Name.Local == "testcase" {
				cases++
			}
		}
		if cases != len(r.Findings)+1 {
			t.Errorf("%s: %d test cases of %d", protocol, cases, len(r.Findings)+1)
		}
		for form, out := range map[string]string{"text": text, "JSON": document, "JUnit": junit} {
			if i := strings.IndexFunc(out, hidden); i >= 0 || !utf8.ValidString(out) {
				t.Errorf("%s: %s has %+q", protocol, form, out[max(i-40, 0):][:60])
			}
		}
	}
}

// hidden reports whether a character may change how others are shown.
func hidden(c rune) bool {
	return c < ' ' && c != '\n' || c >= 0x7f && c <= 0x9f || c >= 0x2028 && c <= 0x202e || c >= 0x2066 && c <= 0x2069
}
