// Gamequery asks game servers and is one, to try things out. It takes packets
// of their protocols apart and puts them together: bytes to JSON, bytes to an
// annotated listing, JSON to bytes.
//
// README.md shows how to use it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // the input is broken or cannot be read, or nobody answered
	exitUsage  = 2
)

// run is the program.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return runContext(context.Background(), args, stdin, stdout, stderr)
}

// runContext is the program; what uses the network ends when ctx is done.
func runContext(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRootCommand(sockets{})
	root.SetArgs(doubleDashes(args))
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	fmt.Fprintln(stderr, "gamequery: "+printable(err.Error()))
	if usage := new(usageError); errors.As(err, &usage) {
		fmt.Fprintln(stderr, usage.advice)
		return exitUsage
	}
	return exitFailed
}
