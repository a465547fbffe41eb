package main

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/fleet"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/verdict"
)

// A watching holds the settings of watch.
type watching struct {
	protocols.Settings
	every   time.Duration
	judge   verdict.Judge
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

func newWatchCommand(via tap.Sockets) *cobra.Command {
	w := watching{Settings: protocols.Settings{Sockets: via}}
	var from string
	cmd := &cobra.Command{
		Use:   "watch [flags] PROTOCOL|GAME TARGET...",
		Short: "Check that servers answer, and serve metrics",
		Long: `Watch queries servers repeatedly, and prints a line when one starts or stops
answering, until it is interrupted. A server can run without answering queries.

TARGETs are as for scan, but a host name counts as one server, which answers
if one of its addresses does.

The verdict on each query is up; slow, an answer later than -slow; silent,
nothing came; refused, nothing listens there; sick, parts of answers are
missing; other, another protocol answers there; unreadable, its answers cannot
be read; or unknown, the query itself failed. A server is down after -failures
that are silent, refused or sick in a row. Lost datagrams are sent again within
each query.

With -metrics, watch serves metrics for Prometheus at the path /metrics of an
address over HTTP. The status of the path /health is 200 if all servers have
answered and none is down, and otherwise 503.

With -health, watch queries the servers until they answer, or are down. The exit
code is 0 if all of them answered, and otherwise 1. Use this for health checks
of containers, systemd timers and control panels.

With -agones, watch sends POST /health to the sidecar of Agones after each round
while all servers are healthy, as for the path /health. The port is
$AGONES_SDK_HTTP_PORT, or 9358. Agones expects a call every 5 seconds, unless
periodSeconds is set.`,
		Example: `  gamequery watch -health sqp 127.0.0.1:25601
  gamequery watch -metrics 127.0.0.1:9912 -from servers.txt gamespy2
  gamequery watch -agones battlefield2 127.0.0.1`,
		Args: wantTargets,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := protocols.Of(cmd, args[0], protocols.Queries())
			if err != nil {
				return err
			}
			if err := w.check(cmd, p); err != nil {
				return err
			}
			f := fleet.New(p, w.Settings)
			f.Judge = w.judge
			if from != "" {
				if err := f.AddFile(from); err != nil {
					return err
				}
			}
			if err := f.AddArguments(args[1:], cmd.InOrStdin()); err != nil {
				return err
			}
			if len(f.Servers) == 0 {
				return usage.Bad(cmd, "no TARGET: name some, or a file of them with -from")
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			if w.health {
				return f.CheckHealth(ctx, cmd.OutOrStdout())
			}
			return w.run(ctx, f, cmd)
		},
		ValidArgsFunction:     protocols.Queries().Complete,
		DisableFlagsInUseLine: true,
	}
	w.AddFlags(cmd.Flags())
	w.AddChunksFlag(cmd.Flags())
	w.AddAskFlag(cmd.Flags(), protocols.AskOne)
	cmd.Flags().DurationVar(&w.every, "every", watchEvery,
		fmt.Sprintf("time from one round of queries to the next; the default with -agones is %v", agonesEvery))
	cmd.Flags().StringVar(&w.metrics, "metrics", "",
		"serve /metrics and /health at this `ADDRESS`, such as 127.0.0.1:9912")
	cmd.Flags().BoolVar(&w.health, "health", false,
		"query until each server answers or is down; exit with 0 if all answered, otherwise with 1")
	cmd.Flags().BoolVar(&w.agones, "agones", false,
		"while all servers are healthy, report that to the sidecar of Agones")
	cmd.Flags().DurationVar(&w.judge.Slow, "slow", verdict.DefaultSlow, "an answer that takes longer is slow")
	cmd.Flags().IntVar(&w.judge.Row, "failures", verdict.DefaultRow,
		"a server is down after this `NUMBER` of failures in a row")
	cmd.Flags().StringVar(&from, "from", "", "read TARGETs from this `FILE`")
	return cmd
}

// check checks the flags for a protocol.
func (w *watching) check(cmd *cobra.Command, p protocols.Protocol) error {
	if w.agones && !cmd.Flags().Changed("every") {
		w.every = agonesEvery
	}
	switch {
	case w.every <= 0:
		return usage.Bad(cmd, "-every must be above 0, as 10s")
	case w.judge.Slow <= 0 || w.judge.Row <= 0:
		return usage.Bad(cmd, "-slow and -failures must be above 0")
	case w.health && (w.agones || w.metrics != "" || cmd.Flags().Changed("every")):
		return usage.Bad(cmd, "-health ends by itself, so -every, -metrics and -agones are not for it")
	}
	if w.metrics != "" {
		if err := wantListen(cmd, "-metrics", w.metrics); err != nil {
			return err
		}
	}
	return w.Settings.Check(cmd, p, p.Asks)
}

// run queries the servers repeatedly until ctx is done.
func (w *watching) run(ctx context.Context, f *fleet.Fleet, cmd *cobra.Command) error {
	f.Out = cmd.OutOrStdout()
	var served <-chan error
	if w.metrics != "" {
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", w.metrics)
		if err != nil {
			return servers.BadListen(err)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "metrics on %s; interrupt to stop\n", l.Addr())
		server := fleet.NewMetricsServer(f)
		served = servers.InBackground(func() error { return server.Serve(l) })
		defer func() {
			server.Close()
			<-served
		}()
	}
	var sidecar *fleet.Agones
	if w.agones {
		sidecar = fleet.NewAgones(cmd.ErrOrStderr())
	}
	rounds := time.NewTicker(w.every)
	defer rounds.Stop()
	for {
		f.Ask(ctx)
		if sidecar != nil && f.Health() == nil {
			sidecar.ReportHealthy(ctx)
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
