package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
)

func newMasterCommand() *cobra.Command {
	var game, key string
	cmd := &cobra.Command{
		Use:   "master [flags] PROTOCOL ADDRESS [LIST]",
		Short: "Be a master, which lists servers",
		Long: `Master lists the game servers that register at it, until it is interrupted.

PROTOCOL is gameagent, bomberman, of which the master is called management
server, or warzone, wzhttp, wztext, wzbin or wzjson, of which it is called
lobby. ADDRESS is where it listens, as :9005; port 0 is any that is free. That
of wzhttp speaks plain HTTP.

A master of gameagent takes both forms of the protocol at ADDRESS. At LIST, an
address of TCP, it sends the list of the legacy form.`,
		Example: `  gamequery master gameagent 127.0.0.1:9005
  gamequery master gameagent :27900 :28900
  gamequery master gameagent -game ut -key KEY :27900 :28900
  gamequery master wztext 127.0.0.1:0`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 3 {
				return wantAddress(cmd, args)
			}
			return wantAddress(cmd, []string{args[0], args[2]})
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := protocolOf(cmd, args[0], masters())
			if err != nil {
				return err
			}
			master := p.master
			if p.name == "gameagent" {
				games := gameagentnet.SeriousSam()
				if game != "" {
					games[game] = gameagentnet.LegacyGame{Key: key}
				}
				master = func() gameServer { return newGameAgentMasterOf(games) }
			}
			list := ""
			switch {
			case p.name != "gameagent" && (len(args) > 2 || game != "" || key != ""):
				return badUsage(cmd, "LIST, -game and -key are for gameagent only")
			case key != "" && game == "":
				return badUsage(cmd, "-key is that of a -game")
			case len(args) > 2:
				list = args[2]
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			return listenAndServe(ctx, cmd, p, "master", args[1], list, func(uint16) (gameServer, error) { return master(), nil })
		},
		ValidArgsFunction:     masters().complete,
		DisableFlagsInUseLine: true,
	}
	cmd.Flags().StringVar(&game, "game", "", "for gameagent, list servers of this `GAME` too, in the legacy form")
	cmd.Flags().StringVar(&key, "key", "", "the `KEY` of that game, with which servers and clients answer challenges")
	return cmd
}

func newGameAgentMaster() gameServer { return newGameAgentMasterOf(nil) }

// newGameAgentMasterOf returns a master of games, those of Serious Sam if nil.
func newGameAgentMasterOf(games map[string]gameagentnet.LegacyGame) gameServer {
	m := &gameagentnet.Master{Games: games}
	return gameServer{
		serve:    m.Serve,
		accept:   m.ServeLists,
		shutdown: m.Shutdown,
		stats: func() string {
			s := m.Stats()
			return fmt.Sprintf("%s, listed %d servers", traffic(s.Received, s.Sent), s.Listed)
		},
	}
}
