package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// As process 1, the sidecar waits for orphans, and still ends with the status of its game.
// The game waits until an orphan is gone; a zombie does not count as gone.
func TestProcessOneReapsOrphans(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const script = `
		orphan=$(sh -c 'sleep 0.1 >/dev/null & echo $!')
		while kill -0 $orphan 2>/dev/null; do sleep 0.01; done
		exit 7`
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-state", "127.0.0.1:0", "-sqp", "127.0.0.1:0", "--", "sh", "-c", script)
	cmd.Env = append(os.Environ(), roleVariable+"="+roleSidecar)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	if err := cmd.Start(); err != nil {
		suite.Missing(t, "no namespaces of processes: %v", err)
	}
	_ = cmd.Wait() // with an error, the exit status
	if code := cmd.ProcessState.ExitCode(); code != 7 {
		t.Errorf("exit code %d, want 7: %s", code, &stderr)
	}
}
