package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

func newMasterCommand() *cobra.Command {
	var r registered
	cmd := &cobra.Command{
		Use:   "master [flags] PROTOCOL ADDRESS [LIST]",
		Short: "Run a master, which lists servers",
		Long: `Master lists the game servers that register with it, until it is interrupted.

PROTOCOL is gamespy2 or gameagent; bomberman, where a master is called a
management server; or warzone, wzhttp, wztext, wzbin or wzjson, where it is
called a lobby. ADDRESS is the address to listen on, such as :9005; port 0 means
any free port. wzhttp uses plain HTTP.

LIST is a TCP address, at which a gamespy2 master serves its lists and a
gameagent master those of the legacy form. At ADDRESS, a gameagent master
accepts both forms.`,
		Example: `  gamequery master gameagent 127.0.0.1:9005
  gamequery master gameagent :27900 :28900
  gamequery master gameagent -game ut -key KEY :27900 :28900
  gamequery master gamespy2 -game duel -key KEY :27900 :28910
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
			if err := r.check(cmd, p); err != nil {
				return err
			}
			list := ""
			if len(args) > 2 {
				list = args[2]
			}
			if list != "" && !p.listsOverTCP {
				return badUsage(cmd, "LIST is for gamespy2 and gameagent only")
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			return listenAndServe(ctx, cmd, p, "master", args[1], list, func(uint16) (gameServer, error) { return p.master(r), nil })
		},
		ValidArgsFunction:     masters().complete,
		DisableFlagsInUseLine: true,
	}
	r.addFlags(cmd.Flags())
	return cmd
}

// newGameSpyMaster returns a master of a game, or of the sample of GameSpy's SDK.
func newGameSpyMaster(r registered) gameServer {
	r = r.orSample()
	m := &gamespy2net.Master{Games: []gamespy2net.Game{{Name: r.game, Key: r.key}}}
	return gameServer{
		serve:    m.Serve,
		accept:   m.ServeLists,
		shutdown: m.Shutdown,
		stats: func() string {
			s := m.Stats()
			text := fmt.Sprintf("%s, listed %d servers", traffic(s.Received, s.Sent), s.Listed)
			if s.Wrong > 0 {
				text += fmt.Sprintf("; %d had another secret key", s.Wrong)
			}
			return text
		},
		note: "servers of " + r.game + " are listed once they answer a challenge and a query",
	}
}

// newGameAgentMaster returns a master of the games of Serious Sam and, in the legacy
// form, of another one.
func newGameAgentMaster(r registered) gameServer {
	games := gameagentnet.SeriousSam()
	if r.game != "" {
		games[r.game] = gameagentnet.LegacyGame{Key: r.key}
	}
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
