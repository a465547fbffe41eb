package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tour"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

func newTourCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tour [PROTOCOL...]",
		Short: "Show protocols at work, on this machine only",
		Long: `Tour starts servers and masters of all protocols, or of the given ones, on
127.0.0.1. It runs commands of this program against them, prints the results and
the bytes that were sent, and stops the servers. It takes a few seconds.
In a terminal it pauses after each page.`,
		Example: `  gamequery tour
  gamequery tour sqp`,
		Args: func(cmd *cobra.Command, args []string) error {
			_, err := tour.StopsOf(cmd, args)
			return err
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := tour.StopsOf(cmd, args)
			if err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			err = tour.Run(ctx, all, terminal.PagerOf(cmd), executeIn)
			if errors.Is(err, terminal.ErrLeft) {
				return nil
			}
			return err
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return tour.StopNames(), cobra.ShellCompDirectiveNoFileComp
		},
		DisableFlagsInUseLine: true,
	}
}

// executeIn runs a command of this program that uses the given sockets.
func executeIn(ctx context.Context, via tap.Sockets, args []string, out io.Writer) error {
	root := newRootCommand(via)
	root.SetArgs(cli.DoubleDashes(args))
	root.SetOut(out)
	root.SetErr(out)
	return root.ExecuteContext(ctx)
}
