package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/querytools"
)

// A peer is a scanner of another project. It scans the servers in a file, each a line of a
// type of server and an address, and prints what they answered.
type peer struct {
	tool       querytools.Tool
	game       string   // that it can scan
	serverType string   // of game, in the lines of the file
	command    []string // the name of the file follows
	answered   string   // a part of the output that occurs once for each server that answered
}

//go:embed gamedig.js
var gamedigScript string

// peers are the scanners of other projects. All read the file of targets at the start.
var peers = []peer{
	{
		tool:       querytools.Tool{Name: "quakestat", Program: "quakestat"},
		game:       "gamespy2",
		serverType: "GS3",
		command:    []string{"quakestat", "-maxsim", "100", "-nh", "-raw", ";", "-f"},
		answered:   ";Benchmark;",
	},
	{
		tool:       querytools.Gamedig("protocol-gamespy3"),
		game:       "gamespy2",
		serverType: "protocol-gamespy3",
		command:    []string{"node", "-e", gamedigScript},
		answered:   "\"Benchmark\"\n",
	},
	{
		tool:       querytools.Tool{Name: "go-svrquery", Program: "go-svrquery"},
		game:       "sqp-0",
		serverType: "sqp",
		command:    []string{"go-svrquery", "-file"},
		answered:   `"serverInfo"`,
	},
}

// installed returns the peers that can scan a game and are installed.
func installed(ctx context.Context, game string) (found []peer) {
	for _, p := range peers {
		if p.game == game && p.tool.Installed(ctx) == nil {
			found = append(found, p)
		}
	}
	return found
}

// scan scans with the peer. Its processor time includes the start of the process.
func (p *peer) scan(ctx context.Context, targets []netip.AddrPort) (r scanResult, err error) {
	dir, err := os.MkdirTemp("", "udpbench")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	var list bytes.Buffer
	for _, t := range targets {
		fmt.Fprintln(&list, p.serverType, t)
	}
	file := filepath.Join(dir, "targets")
	if err := os.WriteFile(file, list.Bytes(), 0o600); err != nil {
		return r, err
	}
	ctx, cancel := context.WithTimeout(ctx, maxScan)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.command[0], slices.Concat(p.command[1:], []string{file})...)
	start := time.Now()
	out, err := cmd.Output()
	if err != nil {
		return r, fmt.Errorf("%s: %w", p.tool.Name, err)
	}
	r.Wall = time.Since(start)
	r.Used.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	r.Answered = bytes.Count(out, []byte(p.answered))
	return r, nil
}
