//go:build !unix

package game

import (
	"io"
	"os"
	"os/exec"
)

// passed returns the signals that are passed to the game. Here the console sends them to
// all of its processes.
func passed(io.Reader) []os.Signal { return []os.Signal{os.Interrupt} }

func signalOf(*os.ProcessState) int { return 0 }

// end ends a process: there is no signal to ask it.
func end(p *os.Process) error { return p.Kill() }

func wait(cmd *exec.Cmd) error { return cmd.Wait() }

// ReapOrphans does nothing: here no process has to wait for others.
func ReapOrphans() {}
