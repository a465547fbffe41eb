// Udpbench compares the servers and scanners of lobbywire with minimal programs for the
// same work, on the same machine and in the same run, and prints ratios.
//
// README.md describes the method, and how to read the output.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/lobbywire/lobbywire/examples/internal/bench"
)

// The kinds of children.
const (
	kindServer     = "server"     // answers a load
	kindLoad       = "load"       // sends a load
	kindMasterLoad = "masterload" // acts as many servers that a master lists, and requests the list
	kindFarm       = "farm"       // acts as many servers
	kindScan       = "scan"       // scans them
)

// The programs of children.
var children = bench.Kinds{
	kindServer:     serverChild,
	kindLoad:       loadChild,
	kindMasterLoad: masterLoadChild,
	kindFarm:       farmChild,
	kindScan:       scanChild,
}

func main() {
	children.RunChild()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

const usageText = `usage: udpbench COMMAND [FLAGS]

	respond   servers, beside bare socket loops under the same load
	master    the master with 100 000 servers, beside the same
	scan      scanners, beside one of bare system calls, and those of other projects

"udpbench COMMAND -help" lists the flags.
`

// run runs the program, except for its children.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	commands := map[string]func(context.Context, []string, io.Writer, io.Writer) error{
		"respond": respondCommand,
		"master":  masterCommand,
		"scan":    scanCommand,
	}
	if len(args) == 0 || commands[args[0]] == nil {
		fmt.Fprint(stderr, usageText)
		return exitUsage
	}
	err := commands[args[0]](ctx, args[1:], stdout, stderr)
	switch usage := new(usageError); {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.As(err, &usage):
		fmt.Fprintln(stderr, "udpbench:", err)
		return exitUsage
	default:
		fmt.Fprintln(stderr, "udpbench:", err)
		return exitFailed
	}
}

// A usageError is an error in the command line.
type usageError struct{ error }

// parseFlags parses the flags of a command. Other arguments are an error.
func parseFlags(flags *flag.FlagSet, args []string, stderr io.Writer) error {
	flags.SetOutput(stderr)
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return &usageError{err}
	}
	if flags.NArg() > 0 {
		return &usageError{fmt.Errorf("%s: unexpected %q", flags.Name(), flags.Arg(0))}
	}
	return nil
}
