package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"
)

// A watching has the settings of watch.
type watching struct {
	asking
	every   time.Duration
	metrics string // address to listen on, "" for no metrics
	health  bool
	agones  bool
}

// Times between two rounds of queries, unless -every is given. The latter is less than
// half of the default periodSeconds of Agones.
const (
	watchEvery  = 10 * time.Second
	agonesEvery = 2 * time.Second
)

func newWatchCommand(via sockets) *cobra.Command {
	w := watching{asking: asking{sockets: via}}
	var from string
	cmd := &cobra.Command{
		Use:   "watch [flags] PROTOCOL|GAME TARGET...",
		Short: "Check that servers answer, and serve metrics",
		Long: `Watch queries servers repeatedly, and prints a line when one starts or stops
answering, until it is interrupted. A server can run without answering queries.

TARGETs are those of scan, but a host name counts as one server, which answers
if one of its addresses does.

With -metrics, watch serves metrics for Prometheus at the path /metrics of an
address over HTTP. The status of the path /health is 200 if all servers answered
the last query, and otherwise 503.

With -health, watch queries the servers once. The exit code is 0 if all of them
answered, and otherwise 1. Use this for health checks of containers, systemd
timers and control panels.

With -agones, watch sends POST /health to the sidecar of Agones after each round
in which all servers answered. The port is $AGONES_SDK_HTTP_PORT, or 9358.
Agones expects a call every 5 seconds, unless periodSeconds is set.`,
		Example: `  gamequery watch -health sqp 127.0.0.1:25601
  gamequery watch -metrics 127.0.0.1:9912 -from servers.txt gamespy2
  gamequery watch -agones battlefield2 127.0.0.1`,
		Args: wantTargets,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := protocolOf(cmd, args[0], queries())
			if err != nil {
				return err
			}
			if err := w.check(cmd, p); err != nil {
				return err
			}
			f := newFleet(p, w.asking)
			if from != "" {
				if err := f.addFile(from); err != nil {
					return err
				}
			}
			if err := f.addArguments(args[1:], cmd.InOrStdin()); err != nil {
				return err
			}
			if len(f.servers) == 0 {
				return badUsage(cmd, "no TARGET: name some, or a file of them with -from")
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			if w.health {
				return f.checkHealth(ctx, cmd.OutOrStdout())
			}
			return w.run(ctx, f, cmd)
		},
		ValidArgsFunction:     queries().complete,
		DisableFlagsInUseLine: true,
	}
	w.addFlags(cmd.Flags())
	cmd.Flags().DurationVar(&w.every, "every", watchEvery, fmt.Sprintf("time between two rounds of queries; %v with -agones", agonesEvery))
	cmd.Flags().StringVar(&w.metrics, "metrics", "", "serve /metrics and /health at this `ADDRESS`, such as 127.0.0.1:9912")
	cmd.Flags().BoolVar(&w.health, "health", false, "query once; exit with 0 if all servers answered, otherwise with 1")
	cmd.Flags().BoolVar(&w.agones, "agones", false, "while all servers answer, report health to the sidecar of Agones")
	cmd.Flags().StringVar(&from, "from", "", "read TARGETs from this `FILE`")
	return cmd
}

// check checks the flags for a protocol.
func (w *watching) check(cmd *cobra.Command, p protocol) error {
	if w.agones && !cmd.Flags().Changed("every") {
		w.every = agonesEvery
	}
	switch {
	case w.every <= 0:
		return badUsage(cmd, "-every must be above 0, as 10s")
	case w.health && (w.agones || w.metrics != "" || cmd.Flags().Changed("every")):
		return badUsage(cmd, "-health queries once, so -every, -metrics and -agones are not for it")
	}
	return w.asking.check(cmd, p, p.asks)
}

// run queries the servers repeatedly until ctx is done.
func (w *watching) run(ctx context.Context, f *fleet, cmd *cobra.Command) error {
	f.out = cmd.OutOrStdout()
	var served <-chan error
	if w.metrics != "" {
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", w.metrics)
		if err != nil {
			return badListen(err)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "metrics on %s; interrupt to stop\n", l.Addr())
		server := newMetricsServer(f)
		served = inBackground(func() error { return server.Serve(l) })
		defer func() {
			server.Close()
			<-served
		}()
	}
	var sidecar *agones
	if w.agones {
		sidecar = newAgones(cmd.ErrOrStderr())
	}
	rounds := time.NewTicker(w.every)
	defer rounds.Stop()
	for {
		f.ask(ctx)
		if sidecar != nil && f.health() == nil {
			sidecar.reportHealthy(ctx)
		}
		select {
		case <-ctx.Done():
			return nil
		case err := <-served:
			return err
		case <-rounds.C:
		}
	}
}

// addFile adds the servers that a file lists.
func (f *fleet) addFile(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	return f.addListed(name, file)
}

// addArguments adds the servers of a command line.
func (f *fleet) addArguments(args []string, stdin io.Reader) error {
	for _, arg := range args {
		var err error
		if arg == stdinName {
			err = f.addListed("standard input", stdin)
		} else {
			err = f.add(arg)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *fleet) addListed(name string, r io.Reader) error {
	for word, err := range listedWords(name, r) {
		if err == nil {
			if err = f.add(word.text); err != nil {
				err = fmt.Errorf("%s: %w", word.line, err)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkHealth queries the servers once, prints the result of each, and fails unless all
// of them answered.
func (f *fleet) checkHealth(ctx context.Context, stdout io.Writer) error {
	f.ask(ctx)
	if ctx.Err() != nil {
		return errors.New("interrupted before the end")
	}
	for _, s := range f.servers {
		if _, err := fmt.Fprintln(stdout, s.state()); err != nil {
			return err
		}
	}
	return f.health()
}
