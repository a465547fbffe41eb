// Sidecar makes a game server discoverable, whatever language it is written in. The game
// sends its state to the sidecar, as one JSON object. The sidecar answers the queries of
// all protocols with it, and keeps the game in the lists of masters.
//
// README.md explains how to run it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/lobbywire/lobbywire/examples/sidecar/internal/game"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2 // an error in the command line or the file
)

// run runs the program until ctx is done.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := load(args, stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		fmt.Fprintln(stderr, "sidecar:", err)
		return exitUsage
	}
	err = serve(ctx, o, stdin, stderr)
	var status game.Exit
	switch {
	case errors.As(err, &status):
		return int(status)
	case err != nil:
		fmt.Fprintln(stderr, "sidecar:", err)
		return exitFailed
	}
	return exitOK
}

// serve does what the settings say.
func serve(ctx context.Context, o options, stdin io.Reader, stderr io.Writer) error {
	if o.health != "" {
		return checkHealth(ctx, o.health)
	}
	s, err := open(o, stdin, stderr)
	if err != nil {
		return err
	}
	return s.run(ctx)
}
