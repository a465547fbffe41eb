// Gameserver is a toy game that can be discovered and queried: the smallest server
// that embeds the helpers of lobbywire. It is meant to be copied.
//
// README.md lists the files, and what to change in a copy.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stderr); {
	case errors.Is(err, errUsage):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "gameserver:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	host   string
	port   int
	name   string
	every  time.Duration
	frame  time.Duration
	serve  bool
	places places
}

// errUsage is the error of a wrong command line that the flag package has already
// reported.
var errUsage = errors.New("wrong usage")

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("gameserver", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.host, "host", "127.0.0.1", "`address` to listen on, one of this machine")
	flags.IntVar(&o.port, "port", 25600, "port of the game; queries go to the next one")
	flags.StringVar(&o.name, "name", "A toy game", "name of the server")
	flags.DurationVar(&o.every, "every", 2*time.Second, "how often something happens in the game")
	flags.DurationVar(&o.frame, "frame", 20*time.Millisecond, "time of a frame")
	flags.BoolVar(&o.serve, "serve", false, "run servers with goroutines instead of calling them once a frame")
	flags.StringVar(&o.places.gameagent, "gameagent", "", "register with this GameAgent `master`, host:port")
	flags.StringVar(&o.places.gamespy, "gamespy", "", "register with this GameSpy `master`, host:port")
	flags.StringVar(&o.places.gameName, "gamespy-game", "gmtest", "with -gamespy, `name` of the game at the master")
	flags.StringVar(&o.places.secretKey, "gamespy-key", "HA6zkS", "with -gamespy, secret `key` of the game")
	flags.StringVar(&o.places.lobby, "warzone", "", "announce the game at this Warzone `lobby`, host:port")
	flags.StringVar(&o.places.public, "public", "127.0.0.1",
		"with -bomberman, the address or name of this machine for players")
	flags.StringVar(&o.places.management, "bomberman", "",
		"register with this Bomberman management `server`, host:port")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, err
		}
		return o, errUsage
	}
	if flags.NArg() > 0 || o.port < 1 || o.port > 1<<16-2 || o.every <= 0 || o.frame <= 0 {
		fmt.Fprintln(stderr,
			"gameserver takes flags only, a -port from 1 to 65534, and times above 0; -help lists them")
		return o, errUsage
	}
	return o, nil
}

// run runs the program until ctx is done.
func run(ctx context.Context, args []string, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	at, err := listen(o.host, o.port)
	if err != nil {
		return fmt.Errorf("%w; choose another -port", err)
	}
	fmt.Fprintf(stderr, "game on %v; queries of GameAgent, GameSpy and SQP on %v\n",
		at.game.Addr(), at.queries.LocalAddr())
	s, err := newServer(o, at, log.New(stderr, "", 0))
	if err != nil {
		at.close()
		return err
	}

	frames := time.NewTicker(o.frame)
	defer frames.Stop()
	if o.serve {
		return s.serve(ctx, frames.C)
	}
	return s.loop(ctx, frames.C)
}
