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

	"github.com/lobbywire/lobbywire/examples/internal/dashes"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// The exit codes. Scripts rely on them: they stay as they are.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// exitCodes is what help and README.md say of them.
const exitCodes = `0  it worked; of a scan, at least one server answered
1  it did not: nobody answered, targets had to be left out, input is broken or
   cannot be read, or an interrupt came before the end
2  the command line is wrong; standard error tells what to do
`

// run is the program.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return runContext(context.Background(), args, stdin, stdout, stderr)
}

// runContext is the program; what uses the network ends when ctx is done.
func runContext(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRootCommand(sockets{})
	root.SetArgs(dashes.Double(args))
	root.SetIn(stdin)
	root.SetOut(completionOut(args, stdout))
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
