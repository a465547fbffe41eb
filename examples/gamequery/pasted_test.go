package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
	"github.com/lobbywire/lobbywire/examples/internal/traffictest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// sqpRequest is a query of sqp for the chunk ServerInfo.
const sqpRequest = "\x01\x801\xbe\x18\x00\x01\x01"

// decode and explain read pasted text, and print how they read it.
func TestReadsWhatPeoplePaste(t *testing.T) {
	frame := capturetest.UDP(traffictest.Player, traffictest.Host, []byte(sqpRequest))
	for _, test := range []struct{ text, said string }{
		{sqpRequest, ""},
		{"00000000: 0180 31be 1800 0101                      ..1.....\n", "read as: xxd, 8 bytes\n"},
		{"0000000 100001 137061 000030 000401\n0000010\n", "read as: od, little-endian words of 2 bytes, 8 bytes\n"},
		{"018031be18000101", "read as: hexadecimal, 8 bytes\n"},
		{base64.StdEncoding.EncodeToString([]byte(sqpRequest)), "read as: base64, 8 bytes\n"},
		{`b'\x01\x801\xbe\x18\x00\x01\x01'`, "read as: a string literal, 8 bytes\n"},
		{tcpdump(frame),
			"read as: tcpdump -X, 36 bytes; the message is the last 8 of them, behind the headers of the packet\n"},
	} {
		want := "{\n  \"token\": 2150743576,\n  \"version\": 1,\n  \"chunks\": 1\n}\n"
		code, stdout, stderr := gamequery([]byte(test.text), "decode", "sqp.QueryRequest", "-")
		if diff := cmp.Diff(want, stdout); code != exitOK || stderr != test.said || diff != "" {
			t.Errorf("%q: exit code %d, %q, want %q (-want +got):\n%s", test.text, code, stderr, test.said, diff)
		}
		code, stdout, stderr = gamequery([]byte(test.text), "explain", "sqp.QueryRequest", "-")
		if code != exitOK || stderr != test.said {
			t.Errorf("explain %q: exit code %d, %q", test.text, code, stderr)
		}
		checkExplains(t, []byte(sqpRequest), stdout)
	}
}

// Without a MESSAGE, decode and explain guess it, and print what is in doubt.
func TestMessageIsGuessed(t *testing.T) {
	for _, test := range []struct {
		text, want string
		code       int
	}{
		{"```\n01 80 31 be 18 00 01 01\n```\n", "read as: hexadecimal, 8 bytes\ntaken for: sqp.Request\n", exitOK},
		{sqpRequest, "taken for: sqp.Request\n", exitOK},
		{"LIST\n", "raw bytes, as the text is in no known form, 5 bytes\ntaken for: wztext.List, may also be", exitOK},
		{"\xfe\xfd\x00\x01\x02\x03", "in doubt: no message accepts all bytes", exitFailed},
		{"hello this is not bytes", "raw bytes", exitUsage},
		{"\xff\xff\xff\xffTSource Engine Query\x00", "A2S, a protocol that is not in the library", exitUsage},
	} {
		for _, command := range []string{"decode", "explain"} {
			code, _, stderr := gamequery([]byte(test.text), command, "-")
			if code != test.code || !strings.Contains(stderr, test.want) {
				t.Errorf("%s of %q: exit code %d, want %d; %s", command, test.text, code, test.code, stderr)
			}
		}
	}
}

// tcpdump returns a packet as tcpdump -x prints it.
func tcpdump(packets ...[]byte) string {
	var text strings.Builder
	for i, p := range packets {
		fmt.Fprintf(&text, "03:04:0%d.000000 IP 192.0.2.1.5000 > 192.0.2.2.30000: UDP\n", i)
		for at := 0; at < len(p); at += 16 {
			fmt.Fprintf(&text, "\t0x%04x: ", at)
			for i := at; i < min(at+16, len(p)); i += 2 {
				fmt.Fprintf(&text, " %x", p[i:min(i+2, len(p))])
			}
			fmt.Fprintln(&text)
		}
	}
	return text.String()
}

// A text with two meanings is refused with advice. A given form decides.
func TestRefusesTextsWithTwoMeanings(t *testing.T) {
	for _, test := range []struct {
		text, message, want string
		as                  string
		decides             bool
	}{
		{"4142", "qr2.Unknown", "-as hex or -as raw", "hex", true},
		{"AYAxvhgA", "qr2.Unknown", "-as base64 or -as raw", "raw", true},
		{"0000 3131", "sqp.Packet", "-as hex", "raw", false},
	} {
		code, stdout, stderr := gamequery([]byte(test.text), "decode", test.message, "-")
		if code != exitFailed || stdout != "" || !strings.Contains(stderr, test.want) {
			t.Errorf("%s of %q: exit code %d, %s%s", test.message, test.text, code, stdout, stderr)
		}
		code, _, stderr = gamequery([]byte(test.text), "decode", "-as", test.as, test.message, "-")
		if strings.Contains(stderr, "write -as") || test.decides && code != exitOK {
			t.Errorf("-as %s, %s of %q: exit code %d, %s", test.as, test.message, test.text, code, stderr)
		}
	}
	if code, _, stderr := gamequery(nil, "decode", "-as", "octal", "sqp.Packet", "-"); code != exitUsage ||
		!strings.Contains(stderr, "raw, hex, base64") {
		t.Errorf("-as octal: exit code %d, %s", code, stderr)
	}
}

// A message that is text is not read as a dump.
func TestReadsTextMessages(t *testing.T) {
	for message, text := range map[string]string{"wztext.List": "LIST\n", "gamespy1.Request": `\status\`} {
		code, _, stderr := gamequery([]byte(text), "decode", message, "-")
		if code != exitOK || stderr != "" {
			t.Errorf("%s: exit code %d, %s", message, code, stderr)
		}
	}
}

// Our own files name their message and the flags that decode it.
func TestReadsMessageOfFile(t *testing.T) {
	t.Parallel()
	for i, v := range goldenFiles(t) {
		if v.header["Message"] == "" {
			t.Errorf("%s has no Message", v.path)
			continue
		}
		if i%suite.Pick(4, 1) > 0 {
			continue
		}
		wantCode, want, wantErr := gamequery(nil, v.args("decode")...)
		code, stdout, stderr := gamequery(nil, "decode", v.path)
		if code != wantCode || stdout != want || stderr != wantErr {
			t.Errorf("decode %s: exit code %d, want %d; %s, want %s", v.path, code, wantCode, stderr, wantErr)
		}
	}
	elsewhere := filepath.Join(t.TempDir(), "message.hex")
	for _, test := range []struct {
		text, want string
		code       int
	}{
		{"# Message: QueryRequest\n" + "01 80 31 be 18 00 01 01\n", "", exitOK},
		{"# Message: sqp.Request\n" + "01 80 31 be 18 00 01 01\n", "", exitOK},
		{"# Message: Request\n" + "01 80 31 be 18 00 01 01\n", "sqp.Request or ", exitUsage},
		{"# Message: Riddle\n01\n", `no MESSAGE "Riddle"`, exitUsage},
		{"01\n", "name the MESSAGE", exitUsage},
	} {
		if err := os.WriteFile(elsewhere, []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"decode", "explain"} {
			code, _, stderr := gamequery(nil, command, elsewhere)
			if code != test.code || !strings.Contains(stderr, test.want) {
				t.Errorf("%s %q: exit code %d, %s", command, test.text, code, stderr)
			}
		}
	}
}

// A dump of packets with their headers, and a compressed capture, are explained as a capture.
func TestExplainsDumpsOfPackets(t *testing.T) {
	frame := capturetest.UDP(traffictest.Player, traffictest.Host, []byte(sqpRequest))
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write(capturetest.PCAP(capturetest.LinkRaw, 0, frame, frame))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	ethernet := append([]byte("\x02\x00\x00\x00\x00\x01\x02\x00\x00\x00\x00\x02\x08\x00"), frame...)
	for name, file := range map[string]string{
		"raw IP": tcpdump(frame, frame), "Ethernet": tcpdump(ethernet, ethernet), "gzip": zipped.String(),
	} {
		code, stdout, stderr := gamequery([]byte(file), "explain", "-")
		if code != exitOK || strings.Count(stdout, ", sqp.Request\n") != 2 ||
			!strings.Contains(stdout, "# explained 2 (cut 0, broken 0), not explained 0\n") {
			t.Errorf("%s: exit code %d, %s\n%s", name, code, stderr, stdout)
		}
	}
	code, _, stderr := gamequery([]byte(tcpdump(frame, frame)), "decode", "sqp.Request", "-")
	if code != exitFailed || !strings.Contains(stderr, "2 messages") {
		t.Errorf("two messages: exit code %d, %s", code, stderr)
	}
	code, _, stderr = gamequery(zipped.Bytes(), "decode", "sqp.Request", "-")
	if code != exitFailed || !strings.Contains(stderr, "without a MESSAGE") {
		t.Errorf("a capture: exit code %d, %s", code, stderr)
	}
}
