// Gamequery queries game servers and acts as one for testing. It decodes and encodes
// packets of their protocols: bytes to JSON, bytes to an annotated listing, and JSON
// to bytes.
//
// README.md explains how to use it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// The exit codes. Scripts rely on them, so they must not change.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// exitCodes documents them for help and README.md.
const exitCodes = `  0  success; for a scan, at least one server answered, for watch -health, all
     of them, and for check, no case of the level must failed
  1  failure: no server answered, targets were skipped, a list is not whole,
     input is broken or cannot be read, or the program was interrupted
  2  an error in the command line; standard error says how to fix it
`

// run runs the program.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return runContext(context.Background(), args, stdin, stdout, stderr)
}

// runContext runs the program. Network operations end when ctx is done.
func runContext(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRootCommand(tap.Sockets{})
	root.SetArgs(cli.DoubleDashes(args))
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	addCompletion(root)
	if len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		return complete(ctx, root, args, stdout)
	}
	cmd, err := root.ExecuteContextC(ctx)
	if err = output.PrintJSONError(cmd, protocolIn(cmd), err); err == nil {
		return exitOK
	}
	for _, problem := range problems(err) {
		fmt.Fprintln(stderr, "gamequery: "+terminal.Printable(problem.Error()))
	}
	advised := new(usage.Advised)
	if errors.As(err, &advised) {
		fmt.Fprintln(stderr, advised.Advice)
	}
	bad := new(usage.Error)
	if errors.As(err, &bad) {
		fmt.Fprintln(stderr, bad.Advice)
		return exitUsage
	}
	return exitFailed
}

// protocolIn returns the name of the protocol of a command line, "" if it names none.
func protocolIn(cmd *cobra.Command) string {
	p, _ := protocols.Named(cmd.Flags().Arg(0))
	return p.Name
}
