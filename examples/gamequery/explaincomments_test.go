package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/traffictest"
)

// A live view gets each packet as soon as it was captured.
func TestExplainWritesPacketByPacket(t *testing.T) {
	file := captureOf(t, 30000, false, traffictest.Request("sqp/testdata/golden/query_info.hex"),
		traffictest.Answer("sqp/testdata/golden/answer_info.hex"))
	const fileHeader, header, ipAndUDP = 24, 16, 28
	first := fileHeader + header + ipAndUDP + len(traffictest.Golden(t, "sqp/testdata/golden/query_info.hex"))
	stdin, captured := io.Pipe()
	explained, stdout := io.Pipe()
	ended := make(chan int)
	go func() {
		code := run([]string{"explain", "-w", "-", "-"}, stdin, stdout, io.Discard)
		stdout.Close()
		ended <- code
	}()
	go captured.Write(file[:first])
	r, err := capture.NewReader(explained)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"sqp.Request\n28+1 type = 1", "sqp.QueryResponse\n28+1 type = 1"} {
		f, err := r.Next()
		if err != nil || len(f.Options.Comments) != 1 || !strings.HasPrefix(f.Options.Comments[0], want) {
			t.Fatalf("packet %d: %q, %v", i+1, f.Options.Comments, err)
		}
		if i == 0 {
			go func() {
				captured.Write(file[first:])
				captured.Close()
			}()
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	if code := <-ended; code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

// Explain -w keeps the captured data, and writes the readable part of a broken capture.
func TestExplainWritesBrokenCaptures(t *testing.T) {
	whole := captureOf(t, 30000, false, traffictest.Request("sqp/testdata/golden/query_info.hex"),
		traffictest.Answer("sqp/testdata/golden/answer_info.hex"))
	for _, tt := range []struct {
		name    string
		file    []byte
		packets int
		code    int
		err     string
	}{
		{"whole", whole, 2, exitOK, "2 packets, 2 explained messages\n"},
		{"without packets", whole[:24], 0, exitOK, "0 packets, 0 explained messages\n"},
		{"broken off", whole[:len(whole)-4], 1, exitFailed, "the file ends within packet 2"},
		{"a text", []byte("01 02 03 04"), 0, exitUsage, "is not a capture, which -w needs"},
		{"a header", whole[:10], 0, exitFailed, "the file ends within the header"},
	} {
		in, out := filepath.Join(t.TempDir(), "in.pcap"), filepath.Join(t.TempDir(), "out.pcapng")
		if err := os.WriteFile(in, tt.file, 0o600); err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := gamequery(nil, "explain", "-w", out, in)
		if code != tt.code || stdout != "" || !strings.Contains(stderr, tt.err) {
			t.Errorf("%s: exit code %d, %q, %s", tt.name, code, stdout, stderr)
		}
		b, err := os.ReadFile(out)
		if code == exitUsage || tt.name == "a header" {
			if err == nil {
				t.Errorf("%s: a file is written", tt.name)
			}
			continue
		}
		file, err := capture.Read(b)
		original, _ := capture.Read(tt.file)
		if err != nil || file.Packets != tt.packets || !slices.EqualFunc(file.Sent, original.Sent, sameSent) {
			t.Errorf("%s: %d packets, %v", tt.name, file.Packets, err)
		}
	}
}

func sameSent(a, b capture.Sent) bool {
	return a.At.Equal(b.At) && a.From == b.From && a.To == b.To && bytes.Equal(a.Data, b.Data)
}
