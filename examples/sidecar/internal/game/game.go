// Package game runs the game server as a child process.
package game

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync"
)

// A Game is a running game server.
type Game struct {
	cmd  *exec.Cmd
	stop func()
	done chan struct{}
	err  error
}

// An Exit is the exit status of a game that was not 0.
type Exit int

func (e Exit) Error() string { return fmt.Sprintf("the game ended with status %d", int(e)) }

// Start starts a command, with more variables in its environment. It passes signals to
// the game until it has ended.
func Start(command []string, stdin io.Reader, variables ...string) (*Game, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), variables...)
	// Signals that come before the game has started are passed to it then.
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, passed(stdin)...)
	if err := cmd.Start(); err != nil {
		signal.Stop(signals)
		return nil, err
	}
	g := &Game{cmd: cmd, done: make(chan struct{})}
	g.stop = sync.OnceFunc(func() { signal.Stop(signals) })
	go g.pass(signals)
	go g.wait()
	return g, nil
}

// pass passes signals to the game until it has ended.
func (g *Game) pass(signals <-chan os.Signal) {
	for {
		select {
		case s := <-signals:
			_ = g.cmd.Process.Signal(s) // fails if the game has just ended
		case <-g.done:
			return
		}
	}
}

func (g *Game) wait() {
	g.err = statusOf(wait(g.cmd))
	g.stop()
	close(g.done)
}

// End asks the game to end.
func (g *Game) End() { _ = end(g.cmd.Process) } // fails if it has just ended

// Done is closed when the game has ended.
func (g *Game) Done() <-chan struct{} { return g.done }

// Err returns an Exit if the game has ended with another status than 0.
func (g *Game) Err() error { return g.err }

// signalled is added to the number of the signal that ended a game, as shells do.
const signalled = 128

// statusOf returns the error of a command as an Exit.
func statusOf(err error) error {
	if errors.As(err, new(Exit)) {
		return err
	}
	failed := new(exec.ExitError)
	if !errors.As(err, &failed) {
		return err
	}
	if n := signalOf(failed.ProcessState); n > 0 {
		return Exit(signalled + n)
	}
	return Exit(failed.ExitCode())
}
