package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/internal/input"
)

func newScanCommand(via tap.Sockets) *cobra.Command {
	s := scanner{Settings: protocols.Settings{Sockets: via}}
	var from string
	cmd := &cobra.Command{
		Use:   "scan [flags] PROTOCOL|GAME [TARGET...]",
		Short: "Query many servers",
		Long: `Scan queries many servers and prints the ones that answer.

A TARGET is an ADDRESS as for query, a range of ports such as
127.0.0.1:25600-25700, or a network such as 192.0.2.0/24:25600, of up to 4096
addresses and up to 65536 ports of them. All addresses of a host name are
queried. The TARGET "-" reads targets from standard input, and the flag -from
reads them from a file: one on each line, as its first word. Lines that begin
with # are ignored.

With a GAME that has two possible query ports, the second is tried if the server
does not answer at the first, so silent servers take twice the datagrams and
time. In ranges, each port is tried only as it is.

Lists may be of any length; they are read while the scan runs. Invalid targets
and unknown names are reported and skipped, and the exit code is 1.

The table is printed at the end, ordered by address unless -sort is given. With
-json, -csv, -template and -raw, each server is printed as soon as its result is
known, unless -sort or -top is given.`,
		Example: `  gamequery scan sqp 127.0.0.1:25600-25700
  gamequery scan sqp 192.0.2.0/24:25600
  gamequery scan gamespy2 -from servers.txt -timeout 500ms -attempts 2
  gamequery scan sqp -from servers.txt -filter 'players > 0' -sort -players
  gamequery scan swat4 192.0.2.1 game.example.org:10490
  gamequery list -queries gameagent 127.0.0.1:9005 | gamequery scan gameagent -`,
		Args: wantTargets,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			s.protocol, err = protocols.Of(cmd, args[0], protocols.Queries())
			if err != nil {
				return err
			}
			if err := s.check(cmd, protocols.ScanAsks(s.protocol)); err != nil {
				return err
			}
			if s.Rate < 0 {
				return usage.Bad(cmd, "-rate must be above 0, or 0 for no limit")
			}
			if err := s.checkFilter(cmd); err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			sources, err := argumentTargets(args[1:], cmd.InOrStdin(), s.protocol.Ports)
			if err != nil {
				return err
			}
			if from != "" {
				file, err := os.Open(from)
				if err != nil {
					return err
				}
				defer file.Close()
				sources = append([]targets.Source{targets.Listed(from, file, s.protocol.Ports)}, sources...)
			}
			if len(sources) == 0 {
				return usage.Bad(cmd, "no TARGET: name some, or a file of them with -from")
			}
			return s.To(cmd, s.protocol.Name, func() error {
				return s.run(ctx, targets.NewFeed(ctx, sources...), cmd.OutOrStdout(), cmd.ErrOrStderr())
			})
		},
		ValidArgsFunction:     protocols.Queries().Complete,
		DisableFlagsInUseLine: true,
	}
	s.Settings.AddFlags(cmd.Flags())
	s.Settings.AddChunksFlag(cmd.Flags())
	s.Settings.AddAskFlag(cmd.Flags(), protocols.AskMany)
	s.Flags.AddFlags(cmd.Flags(), "print one line of JSON for each server")
	s.AddListFlags(cmd.Flags())
	cmd.Flags().IntVar(&s.Rate, "rate", 0,
		"send up to this `NUMBER` of requests a second, on average; a number above 2560 also "+
			"speeds up scans of silent servers; 0 means no limit")
	cmd.Flags().StringVar(&from, "from", "", "read TARGETs from this `FILE`")
	return cmd
}

// argumentTargets returns the targets of a command line.
func argumentTargets(args []string, stdin io.Reader, ports targets.Ports) (sources []targets.Source, err error) {
	for _, arg := range args {
		if arg == input.Stdin {
			sources = append(sources, targets.Listed("standard input", stdin, ports))
			continue
		}
		source, err := targets.Argument(arg, ports)
		if err != nil {
			return nil, err
		}
		sources = append(sources, source)
	}
	return sources, nil
}
