package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
)

func newMasterCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "master PROTOCOL ADDRESS",
		Short: "Be a master, which lists servers",
		Long: `Master lists the game servers that register at it, until it is interrupted.

PROTOCOL is gameagent, bomberman, of which the master is called management
server, or warzone, wzhttp, wztext, wzbin or wzjson, of which it is called
lobby. ADDRESS is where it listens, as :9005; port 0 is any that is free. That
of wzhttp speaks plain HTTP.`,
		Example: `  gamequery master gameagent 127.0.0.1:9005
  gamequery master wztext 127.0.0.1:0`,
		Args: wantAddress,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := protocolOf(cmd, args[0], masters())
			if err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			return listenAndServe(ctx, cmd, p, "master", args[1], func(uint16) (gameServer, error) { return p.master(), nil })
		},
		ValidArgsFunction:     masters().complete,
		DisableFlagsInUseLine: true,
	}
}

func newGameAgentMaster() gameServer {
	m := new(gameagentnet.Master)
	return gameServer{
		serve:    m.Serve,
		shutdown: m.Shutdown,
		stats: func() string {
			s := m.Stats()
			return fmt.Sprintf("%s, listed %d servers", traffic(s.Received, s.Sent), s.Listed)
		},
	}
}
