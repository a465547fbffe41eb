package wzhttp_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// strictly parses a message strictly and appends it.
func strictly[M codectest.Message](parse func(wzhttp.Options, []byte) (M, error)) func(b []byte) ([]byte, error) {
	return func(b []byte) ([]byte, error) {
		m, err := parse(wzhttp.Options{Strict: true}, b)
		if err != nil {
			return nil, err
		}
		return m.AppendBinary(nil)
	}
}

// Whatever the game sends is strictly valid, and we send the same bytes.
func TestRecordedIsStrict(t *testing.T) {
	parsers := map[string]func(b []byte) ([]byte, error){
		"Create":      strictly(wzhttp.Options.ParseCreate),
		"Connection":  strictly(wzhttp.Options.ParseConnection),
		"Patch":       strictly(wzhttp.Options.ParsePatch),
		"JoinRequest": strictly(wzhttp.Options.ParseJoinRequest),
		"JoinCheck":   strictly(wzhttp.Options.ParseJoinCheck),
		"ProbeReply": strictly(func(_ wzhttp.Options, b []byte) (wzhttp.ProbeReply, error) {
			return wzhttp.ParseProbeReply(b)
		}),
	}
	found := 0
	for _, f := range golden.Load(t) {
		if !strings.HasPrefix(f.Header["Source"], "recorded") {
			continue
		}
		found++
		out, err := parsers[f.Message()](f.Data)
		if err != nil || !bytes.Equal(out, f.Data) {
			t.Errorf("%s: %v, appended as %q", f.Name, err, out)
		}
	}
	if found < 12 {
		t.Errorf("%d recorded messages found", found)
	}
}
