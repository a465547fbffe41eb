package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// quakestat scans with Debian's quakestat. Its processor time includes the start of
// the process.
func quakestat(ctx context.Context, path string, targets []netip.AddrPort) (r scanResult, err error) {
	dir, err := os.MkdirTemp("", "udpbench")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	var list bytes.Buffer
	for _, t := range targets {
		fmt.Fprintln(&list, t)
	}
	file := filepath.Join(dir, "targets")
	if err := os.WriteFile(file, list.Bytes(), 0o600); err != nil {
		return r, err
	}
	ctx, cancel := context.WithTimeout(ctx, maxScan)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "-default", "gs3", "-maxsim", "100", "-nh", "-raw", ";", "-f", file)
	start := time.Now()
	out, err := cmd.Output()
	if err != nil {
		return r, fmt.Errorf("quakestat: %w", err)
	}
	r.Wall = time.Since(start)
	r.Used.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		// The format is GS3;ADDRESS;NAME;MAP;..., or DOWN or a similar word in the
		// place of the name and nothing after it.
		if strings.Count(lines.Text(), ";") > 2 {
			r.Answered++
		}
	}
	return r, lines.Err()
}
