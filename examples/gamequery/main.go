// Gamequery takes packets of game-server protocols apart and puts them
// together: bytes to JSON, bytes to an annotated listing, JSON to bytes.
//
// README.md shows how to use it.
package main

import (
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
	exitFailed = 1 // the input is broken, or cannot be read
	exitUsage  = 2
)

// run is the program.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRootCommand()
	root.SetArgs(doubleDashes(args))
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
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
