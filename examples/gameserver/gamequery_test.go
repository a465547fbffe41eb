package main

import (
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// gamequeryPath is where TestMain built gamequery, "" if there is no go command.
var gamequeryPath string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		goTool, err := exec.LookPath("go")
		if err != nil {
			return m.Run()
		}
		dir, err := os.MkdirTemp("", "gameserver")
		if err != nil {
			log.Fatal(err)
		}
		defer os.RemoveAll(dir)
		path := filepath.Join(dir, "gamequery.exe")
		if out, err := exec.Command(goTool, "build", "-o", path, "../gamequery").CombinedOutput(); err != nil {
			log.Printf("%v: %s", err, out)
			return 1
		}
		gamequeryPath = path
		return m.Run()
	}())
}

// gamequery runs the program and returns its combined output.
func gamequery(t *testing.T, args ...string) string {
	t.Helper()
	if gamequeryPath == "" {
		t.Skip("needs the go command, to build gamequery")
	}
	out, err := exec.CommandContext(t.Context(), gamequeryPath, args...).CombinedOutput()
	// 1 means that no server answered
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) {
		t.Fatalf("gamequery %q: %v: %s", args, err, out)
	}
	return string(out)
}

// eventually runs gamequery until its output contains all of want and none of unwanted.
func eventually(t *testing.T, args string, want, unwanted []string) {
	t.Helper()
	out, missing := "", ""
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		out, missing = gamequery(t, strings.Fields(args)...), ""
		for _, w := range want {
			if !strings.Contains(out, w) {
				missing += " lacks " + strconv.Quote(w)
			}
		}
		for _, u := range unwanted {
			if strings.Contains(out, u) {
				missing += " has " + strconv.Quote(u)
			}
		}
		if missing == "" {
			return
		}
	}
	t.Fatalf("gamequery %s:%s:\n%s", args, missing, out)
}
