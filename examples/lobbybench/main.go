// Lobbybench keeps thousands of hosts at a Warzone lobby of lobbywire while clients
// fetch its list. It compares the lobby with a server that sends the same bytes from
// memory, and prints the ratio of their processor times and the memory per connection.
//
// README.md describes the method.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/bench"
)

// The children.
var children = bench.Kinds{
	"lobby": lobbyChild,
	"floor": floorChild,
	"load":  loadChild,
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

// options are the flags.
type options struct {
	hosts   int
	clients int
	updates int
	rounds  int
	each    time.Duration
	json    bool
}

// run runs the program, unless it is a child of itself.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o options
	flags := flag.NewFlagSet("lobbybench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.hosts, "hosts", 10_000, "`number` of hosts")
	flags.IntVar(&o.clients, "clients", 100, "`number` of clients that fetch the list")
	flags.IntVar(&o.updates, "updates", 100, "`number` of updates per second, of all hosts")
	flags.IntVar(&o.rounds, "rounds", 15, "`number` of rounds with the lobby and the floor")
	flags.DurationVar(&o.each, "for", 2*time.Second, "`time` for each server in a round")
	flags.BoolVar(&o.json, "json", false, "print JSON")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitUsage
	case flags.NArg() > 0 || o.hosts < 1 || o.clients < 1 || o.updates < 0 || o.rounds < 1:
		fmt.Fprintln(stderr, "lobbybench: hosts, clients and rounds must be at least 1, and there are no arguments")
		return exitUsage
	}
	r, err := o.measure(ctx)
	if err == nil && o.json {
		err = json.NewEncoder(stdout).Encode(r)
	} else if err == nil {
		err = r.print(stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "lobbybench:", err)
		return exitFailed
	}
	return exitOK
}
