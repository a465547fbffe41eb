// Lobbyd runs the masters of lobbywire in one process: the GameAgent master, the GameSpy
// master, the Warzone 2100 lobby with the three proposals, and the Bomberman management
// server. A web page, an API and metrics show their lists.
//
// README.md explains how to run it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the second signal ends the program at once
	reload := make(chan os.Signal, 1)
	signal.Notify(reload, syscall.SIGHUP)
	os.Exit(run(ctx, os.Args[1:], reload, os.Stdout, os.Stderr))
}

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2 // an error in the command line or the file
)

// run runs the program until ctx is done. It reads the configuration again at each
// value from reload.
func run(ctx context.Context, args []string, reload <-chan os.Signal, stdout, stderr io.Writer) int {
	args = cli.DoubleDashes(args)
	root := newRootCommand(args, reload)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	fmt.Fprintln(stderr, "lobbyd:", err)
	if wrong := new(usageError); errors.As(err, &wrong) {
		return exitUsage
	}
	return exitFailed
}

// A usageError is an error in the command line or the file.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }
