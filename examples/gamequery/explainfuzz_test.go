package main

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
	"github.com/lobbywire/lobbywire/examples/internal/traffictest"
	"github.com/lobbywire/lobbywire/internal/hexfile"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// FuzzExplainCapture checks that the explanation of a capture with any data, cut
// anywhere, has a summary, is deterministic and has no control characters. The two
// sides take turns.
func FuzzExplainCapture(f *testing.F) {
	files, err := filepath.Glob("../../*/testdata/golden/*.hex")
	if err != nil {
		f.Fatal(err)
	}
	proposals, err := filepath.Glob("../../warzone/*/testdata/golden/*.hex")
	if err != nil {
		f.Fatal(err)
	}
	var before []byte
	every := suite.Pick(5, 1) // of the files; no factor of the number of ports
	for i, name := range append(files, proposals...) {
		if i%every != 0 {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		_, b, err := hexfile.Parse(string(text))
		if err != nil || len(b) > 1<<15 {
			continue // too large for this test
		}
		port := []uint16{30000, 9990, 9005, 25601, 51963, 28900}[i%6]
		f.Add(i%2 == 0, port, uint8(i), before, b, b, before)
		before = b
	}
	f.Fuzz(func(t *testing.T, stream bool, port uint16, snap uint8, first, second, third, fourth []byte) {
		server := netip.AddrPortFrom(traffictest.Host.Addr(), port)
		var packets [][]byte
		sent := [2]uint32{1, 1}
		for i, data := range [][]byte{first, second, third, fourth} {
			from, to := traffictest.Player, server
			if i%2 == 1 {
				from, to = server, traffictest.Player
			}
			switch {
			case len(data) > 1<<15:
				return // too large for a packet
			case stream:
				packets = append(packets, capturetest.TCP(from, to,
					capturetest.Segment{Seq: sent[i%2], Ack: sent[1-i%2], Data: data}))
				sent[i%2] += uint32(len(data))
			default:
				packets = append(packets, capturetest.UDP(from, to, data))
			}
		}
		limit := 0
		if snap%2 == 1 {
			limit = 28 + int(snap)
		}
		file := capturetest.PCAP(capturetest.LinkRaw, limit, packets...)
		code, stdout, stderr := gamequery(file, "explain", "-")
		at := strings.IndexFunc(stdout+stderr,
			func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) || r == utf8.RuneError })
		if at >= 0 {
			t.Errorf("what is printed cannot be shown, at byte %d of\n%q", at, stdout+stderr)
		}
		if !strings.HasPrefix(stdout, "# explained ") && !strings.Contains(stdout, "\n# explained ") {
			t.Errorf("no summary in\n%s", stdout)
		}
		if (code == exitOK) != strings.Contains(stdout, " broken 0), ") {
			t.Errorf("exit code %d, %s in\n%s", code, stderr, stdout)
		}
		if code2, again, _ := gamequery(file, "explain", "-"); code2 != code || again != stdout {
			t.Errorf("exit code %d, then %d\n%s\n%s", code, code2, stdout, again)
		}
		checkComments(t, file, len(packets))
	})
}

// checkComments fails t unless explain -w writes all packets of a capture, with comments that
// Wireshark can read.
func checkComments(t *testing.T, file []byte, packets int) {
	t.Helper()
	code, commented, stderr := gamequery(file, "explain", "-w", "-", "-")
	r, err := capture.NewReader(strings.NewReader(commented))
	if code != exitOK || err != nil {
		t.Fatalf("exit code %d, %s, %v", code, stderr, err)
	}
	for range packets {
		f, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Options.Comments {
			at := strings.IndexFunc(c, func(r rune) bool { return r != '\n' && (r < ' ' || r > '~') })
			if at >= 0 || len(c) > 65535 {
				t.Errorf("a comment of %d bytes, with another character at %d", len(c), at)
			}
		}
	}
}
