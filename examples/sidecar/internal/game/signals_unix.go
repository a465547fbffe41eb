//go:build unix

package game

import (
	"io"
	"os"
	"syscall"

	"golang.org/x/term"
)

// passed returns the signals that are passed to the game. A terminal sends signals of the
// keyboard to the game itself.
func passed(stdin io.Reader) []os.Signal {
	all := []os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2}
	f, isFile := stdin.(*os.File)
	if isFile && term.IsTerminal(int(f.Fd())) {
		return all
	}
	return append(all, syscall.SIGINT, syscall.SIGQUIT)
}

// signalOf returns the number of the signal that ended a process, or 0.
func signalOf(p *os.ProcessState) int {
	if status, ok := p.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return int(status.Signal())
	}
	return 0
}

// end asks a process to end.
func end(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
