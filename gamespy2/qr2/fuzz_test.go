package qr2_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// FuzzIdentity checks that the keys of an Identity parse to the same Identity.
func FuzzIdentity(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := qr2.ParseHeartbeat(b)
		if err != nil {
			return
		}
		v := m.Identity()
		again := qr2.Heartbeat{Info: v.AppendTo(nil)}.Identity()
		if diff := cmp.Diff(v, again, compareIdentity); diff != "" {
			t.Fatalf("written and read (-want +got):\n%s", diff)
		}
		if n := len(m.GameInfo()); n > len(m.Info) {
			t.Fatalf("%d keys of the game in %d keys", n, len(m.Info))
		}
	})
}

// FuzzChallengeText checks that the parts of a text are appended as the same text.
func FuzzChallengeText(f *testing.F) {
	f.Add("AbCdEf007F0000012B67")
	f.Add("0123456789")
	f.Fuzz(func(t *testing.T, text string) {
		parts, ok := qr2.Challenge{Text: text}.ParseText()
		if !ok {
			return
		}
		if got := parts.AppendTo(nil); !bytes.EqualFold(got, []byte(text)) {
			t.Fatalf("%q has the parts %+v, which are written as %q", text, parts, got)
		}
	})
}
