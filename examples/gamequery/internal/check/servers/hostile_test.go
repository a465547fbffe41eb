package servers

import (
	"bytes"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// The case after which a server is dead fails with its packets, and ends the run.
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
	if last.ID != "sqp/3.3" || last.Result != check.Fail || !errors.Is(last.Err, check.ErrDied) || len(last.Packets) == 0 ||
		r.Stopped == "" || r.Count(check.Fail, "") != 1 {
		t.Errorf("%s %s: %v; stopped: %q", last.ID, last.Result, last.Err, r.Stopped)
	}
}

// Reports of a server that floods are bounded, in each form, and print no control characters.
func TestReportsAreBounded(t *testing.T) {
	const packets, most = 100, 6 << 20
	flood := bytes.Repeat([]byte("\x1b]0;evil\x07\x00\xff"), 6000)
	for _, protocol := range Protocols() {
		suite := Suite(protocol)
		r := suite.Run(t.Context(), &Responder{Respond: func(_ netip.AddrPort, req []byte, dst [][]byte) [][]byte {
			for range packets {
				dst = append(dst, append(bytes.Clone(req), flood...))
			}
			return dst
		}}, check.Options{})
		d := check.NewDocument(suite)
		var text, document, junit strings.Builder
		for _, f := range r.Findings {
			d.Add(f)
			if err := d.WriteCase(&text); err != nil {
				t.Fatal(err)
			}
		}
		d.Complete(r)
		if err := errors.Join(d.WriteEnd(&text), d.WriteJSON(&document), d.WriteJUnit(&junit, nil)); err != nil {
			t.Fatal(err)
		}
		for _, out := range []string{text.String(), document.String(), junit.String()} {
			if len(out) > most || strings.ContainsAny(out, "\x1b\x07\x00") {
				t.Errorf("%s: %d bytes, or control characters", protocol, len(out))
			}
		}
	}
}
