package main

import (
	"bytes"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/sqp"
)

// gamequery runs the program.
func gamequery(stdin []byte, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(args, bytes.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

const infoAnswer = "../../sqp/testdata/golden/answer_info.hex"

func TestExitCodesFollowTheOutcome(t *testing.T) {
	for _, tt := range []struct {
		name  string
		args  string
		stdin string
		code  int
		err   string // part of standard error
	}{
		{"no command", "", "", 2, "no command"},
		{"unknown command", "dekode", "", 2, `no command "dekode"; did you mean decode?`},
		{"unknown flag", "decode -bogus", "", 2, "unknown flag: --bogus"},
		{"no message", "decode", "", 2, "want a MESSAGE and a FILE"},
		{"empty key", "list gamespy2 -game gmtest -key= 127.0.0.1", "", 2, "-key is empty"},
		{"empty key of a server", "serve gamespy2 -key= 127.0.0.1:0", "", 2, "-key is empty"},
		{"key without use", "list gameagent -key x 127.0.0.1", "", 2, "-key is for lists of -legacy GAME"},
		{"empty file of targets", "scan sqp -from= 127.0.0.1:7", "", 2, "-from is empty"},
		{"network for query", "query sqp 127.0.0.0/28:7", "", 2, "only scan queries all addresses of one"},
		{"network to watch", "watch sqp 127.0.0.0/28:7", "", 2, "only scan queries all addresses of one"},
		{"network for broadcasts", "discover gamespy2 127.0.0.0/28:7", "", 2, "only scan queries all addresses of one"},
		{"network for a master", "list warzone 127.0.0.0/28:7", "", 2, "only scan queries all addresses of one"},
		{"large network", "scan sqp 127.0.0.0/19:7", "", 2, "up to 4096 addresses, as a /20"},
		{"large network with IPv6", "scan sqp [2001:db8::/64]:7", "", 2, "up to 4096 addresses, as a /116"},
		{"network with many ports", "scan sqp 127.0.0.0/24:7-300", "", 2, "75264 addresses and ports, of up to 65536"},
		{"network without a port", "scan sqp 127.0.0.0/28", "", 2, "the port is missing"},
		{"no file", "explain sqp.Request", "", 2, "want a FILE after sqp.Request"},
		{"unknown message", "decode sqp.Nothing -", "", 2, `no MESSAGE "sqp.Nothing"`},
		{"unknown message to encode", "encode nothing", "", 2, "decode -list"},
		{"file for encode", "encode sqp.Request " + infoAnswer, "", 2, "standard input"},
		{"bad mask", "decode -chunks 256 sqp.QueryResponse -", "", 2, "number up to 255"},
		{"bad name in mask", "decode -chunks serverInfo|ping sqp.QueryResponse -", "", 2, `"ping" is neither`},
		{"standard input twice", "decode sqp.QueryResponse - -", "", 2, "once only"},
		{"several files of one packet", "decode sqp.Request " + infoAnswer + " " + infoAnswer, "", 2, "never split"},
		{"missing file", "decode sqp.Request does-not-exist", "", 1, "does-not-exist"},
		{"not hexadecimal", "decode -hex sqp.Request -", "0g", 1, "not hexadecimal: line 1"},
		{"broken packet", "decode sqp.Request -", "\x01\x00", 1, "gamequery: sqp: token at byte 1: truncated\n"},
		{"explain a broken packet", "explain sqp.Request -", "\x01\x00", 1, "gamequery: sqp: token at byte 1: truncated\n"},
		{"broken JSON", "encode sqp.Request", "{", 1, "not JSON: unexpected end"},
		{"unknown key", "encode sqp.ChallengeRequest", `{"tokken":1}`, 1, "want only the keys of sqp.ChallengeRequest"},
		{"value that the wire cannot carry", "encode sqp.Packet", `{"currentPacket":1,"lastPacket":0}`, 1,
			"sqp: currentPacket: invalid value"},
		{"help", "decode -help", "", 0, ""},
		{"list", "decode -list", "", 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := gamequery([]byte(tt.stdin), strings.Fields(tt.args)...)
			if code != tt.code || !strings.Contains(stderr, tt.err) {
				t.Errorf("exit code %d, want %d; want standard error with %q, got:\n%s", code, tt.code, tt.err, stderr)
			}
			if code == exitFailed && strings.Count(stderr, "\n") != 1 {
				t.Errorf("standard error is not one line:\n%s", stderr)
			}
			if code == exitUsage && stdout != "" {
				t.Errorf("standard output: %s", stdout)
			}
		})
	}
}

func TestChunksFlagSelectsChunks(t *testing.T) {
	for _, mask := range []string{
		"0x11", "17", "serverInfo|metrics", "metrics,serverinfo", "0x10|serverInfo", "serverInfo, 16", "none|17",
	} {
		code, stdout, stderr := gamequery(nil, "decode", "-chunks", mask, "sqp.QueryResponse",
			"../../sqp/testdata/golden/answer_future.hex")
		if code != 0 || !strings.Contains(stdout, `"metrics"`) {
			t.Errorf("-chunks %s: exit code %d, %s", mask, code, stderr)
		}
	}
}

// A mask may be "all" or "none".
func TestMasksMayBeAllOrNone(t *testing.T) {
	for _, tt := range []struct {
		text string
		want sqp.Chunks
	}{
		{"all", sqp.AllChunks},
		{"ALL", sqp.AllChunks},
		{"all|0x20", sqp.AllChunks | 0x20},
		{"none", 0},
		{"none,metrics", sqp.ChunkMetrics},
	} {
		var got sqp.Chunks
		if err := (formats.MaskFlag[sqp.Chunks]{Mask: &got, All: sqp.AllChunks}).Set(tt.text); err != nil || got != tt.want {
			t.Errorf("%s: %v, %v, want %v", tt.text, got, err, tt.want)
		}
	}
	addr, stop := background(t, "serve", "sqp", "127.0.0.1:0")
	defer stop()
	code, stdout, stderr := gamequery(nil, "query", "sqp", addr, "-chunks", "all")
	if code != exitOK || !strings.Contains(stdout, "RULES") || !strings.Contains(stdout, "METRICS") {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
}

// Reading from standard input and with -hex gives the same output as reading the file.
func TestStandardInputGivesTheSameOutput(t *testing.T) {
	_, want, _ := gamequery(nil, "decode", "sqp.QueryResponse", infoAnswer)
	raw := goldenFile(t, infoAnswer)
	for _, tt := range []struct {
		stdin []byte
		args  []string
	}{
		{raw.data, []string{"decode", "sqp.QueryResponse", "-"}},
		{raw.text, []string{"decode", "-hex", "sqp.QueryResponse", "-"}},
		{raw.text, []string{"decode", "SQP.queryresponse", "-", "--hex"}},
	} {
		code, got, stderr := gamequery(tt.stdin, tt.args...)
		if code != 0 {
			t.Errorf("%v: %s", tt.args, stderr)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v (-file +standard input):\n%s", tt.args, diff)
		}
	}
}

// zeros is an endless file.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func TestInputHasALimit(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"decode", "sqp.Packet", "-"},
		{"explain", "-hex", "sqp.Packet", "-"},
		{"encode", "sqp.Packet"},
	} {
		var stderr bytes.Buffer
		code := run(args, zeros{}, io.Discard, &stderr)
		if code != exitFailed || !strings.Contains(stderr.String(), "more than 67108864 bytes") {
			t.Errorf("%v: exit code %d, %s", args, code, &stderr)
		}
	}
}

func TestDatagramsHaveALimit(t *testing.T) {
	long := make([]byte, 1<<16)
	code, _, stderr := gamequery(long, "decode", "gamespy2.Response", "-")
	if want := "gamequery: -: 65536 bytes, more than a datagram can have\n"; code != exitFailed || stderr != want {
		t.Errorf("exit code %d, standard error %q, want %q", code, stderr, want)
	}
}

func TestOutputErrorsAreReported(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	var stderr bytes.Buffer
	if code := run([]string{"decode", "sqp.QueryResponse", infoAnswer}, nil, w, &stderr); code != exitFailed {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
}

// asked returns the arguments that make command read the bytes of standard input as f, the answer to a
// request for everything.
func asked(command string, f formats.Format) []string {
	return []string{command, "-chunks=0x1f", "-keys=3", "-as=raw", f.Name, "-"}
}

// hostile calls check for each format with random inputs and damaged golden files.
func hostile(t *testing.T, check func(t *testing.T, f formats.Format, b []byte)) {
	random := newRandom()
	seeds := map[string][][]byte{}
	for _, g := range goldenFiles(t) {
		seeds[g.pkg] = append(seeds[g.pkg], g.data)
	}
	for _, f := range formats.All() {
		pkg, _, _ := strings.Cut(f.Name, ".")
		t.Run(f.Name, func(t *testing.T) {
			for range suite.Pick(2, 30) {
				check(t, f, damaged(random, seeds[pkg]))
			}
		})
	}
}

// damaged returns random bytes, or one of seeds that may be cut and have random bytes
// in it and after it.
func damaged(random *rand.Rand, seeds [][]byte) []byte {
	var b []byte
	if random.IntN(8) > 0 {
		b = slices.Clone(seeds[random.IntN(len(seeds))])
	}
	if random.IntN(3) == 0 {
		b = b[:random.IntN(len(b)+1)]
	}
	for range random.IntN(40) * random.IntN(2) {
		b = append(b, byte(random.Uint32()))
	}
	for range random.IntN(3) {
		if len(b) > 0 {
			b[random.IntN(len(b))] = byte(random.Uint32())
		}
	}
	return b
}

func TestHostileInputNeverPanics(t *testing.T) {
	t.Parallel()
	hostile(t, func(t *testing.T, f formats.Format, b []byte) {
		for _, command := range []string{"decode", "explain"} {
			code, stdout, stderr := gamequery(b, asked(command, f)...)
			if code == exitUsage || (code == exitOK) != (stderr == "") || strings.Count(stderr, "\n") > 1 {
				t.Fatalf("%s %x: exit code %d, standard error %q", command, b, code, stderr)
			}
			if command == "explain" {
				checkExplains(t, b, stdout)
			}
		}
	})
}

// Bytes that were decoded and encoded stay the same when they are decoded and encoded
// again.
func TestRoundTripsOfHostileInputAreStable(t *testing.T) {
	t.Parallel()
	hostile(t, func(t *testing.T, f formats.Format, b []byte) {
		code, text, _ := gamequery(b, asked("decode", f)...)
		if _, isStream := f.Codec.(formats.Stream); isStream {
			for line := range strings.Lines(text) {
				checkLine(t, line)
			}
		} else if code != exitOK {
			return
		}
		code, once, _ := gamequery([]byte(text), "encode", f.Name)
		if code != exitOK {
			return // decoders accept what encoders do not write
		}
		_, text, _ = gamequery([]byte(once), asked("decode", f)...)
		_, twice, stderr := gamequery([]byte(text), "encode", f.Name)
		if once != twice {
			t.Fatalf("%x: encoded as\n%x, then as\n%x, %s", b, once, twice, stderr)
		}
	})
}
