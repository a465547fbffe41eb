package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
)

func newMasterCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "master gameagent ADDRESS",
		Short: "Be a master, which lists servers",
		Long: `Master lists the game servers that register at it, until it is interrupted.

ADDRESS is where it listens, as :9005; port 0 is any that is free.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := wantAddress(cmd, args); err != nil {
				return err
			}
			return onlyGameAgent(cmd, args[0])
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := interruptible(cmd)
			defer stop()
			return listenAndServe(ctx, cmd, "gameagent master", args[1], func(uint16) (gameServer, error) {
				m := new(gameagentnet.Master)
				return gameServer{
					serve:    m.Serve,
					shutdown: m.Shutdown,
					stats: func() string {
						s := m.Stats()
						return fmt.Sprintf("%s, listed %d servers", traffic(s.Received, s.Sent), s.Listed)
					},
				}, nil
			})
		},
		DisableFlagsInUseLine: true,
	}
}

// onlyGameAgent refuses protocols that have no master here.
func onlyGameAgent(cmd *cobra.Command, name string) error {
	p, err := protocolOf(cmd, name)
	if err == nil && p.name != "gameagent" {
		return badUsage(cmd, "%s has no master; gameagent has", p.name)
	}
	return err
}
