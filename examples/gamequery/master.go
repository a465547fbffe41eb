package main

import (
	"net/netip"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
)

func newMasterCommand() *cobra.Command {
	var r servers.GameKey
	cmd := &cobra.Command{
		Use:   "master [flags] PROTOCOL ADDRESS [LIST]",
		Short: "Run a master, which lists servers",
		Long: `Master lists the game servers that register with it, until it is interrupted.

PROTOCOL is gamespy2 or gameagent; bomberman, where a master is called a
management server; or warzone, wzhttp, wztext, wzbinary or wzjson, where it is
called a lobby. ADDRESS is the address to listen on, such as :9005; port 0 means
any free port. wzhttp uses plain HTTP.

LIST is a TCP address, at which a gamespy2 master serves its lists and a
gameagent master the lists of the legacy form, the first protocol of GameSpy. At
ADDRESS, a gameagent master accepts servers of the native and the legacy form.`,
		Example: `  gamequery master gameagent 127.0.0.1:9005
  gamequery master gameagent :27900 :28900
  gamequery master gameagent -game ut -key KEY :27900 :28900
  gamequery master gamespy2 -game duel -key KEY :27900 :28910
  gamequery master wztext 127.0.0.1:0`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 3 {
				if err := wantListen(cmd, "LIST", args[2]); err != nil {
					return err
				}
				args = args[:2]
			}
			return wantAddress(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := protocols.Of(cmd, args[0], protocols.Masters())
			if err != nil {
				return err
			}
			if err := checkRegistered(r, cmd, p); err != nil {
				return err
			}
			list := ""
			if len(args) > 2 {
				list = args[2]
			}
			if list != "" && !p.ListsOverTCP {
				return usage.Bad(cmd, "LIST is for gamespy2 and gameagent only")
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			return listenAndServe(ctx, cmd, p, "master", args[1], list,
				func(netip.AddrPort) (servers.Server, error) { return p.Master(r), nil })
		},
		ValidArgsFunction:     protocols.Masters().Complete,
		DisableFlagsInUseLine: true,
	}
	addRegisteredFlags(&r, cmd.Flags())
	return cmd
}
