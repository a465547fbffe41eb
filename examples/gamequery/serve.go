package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

// interruptible returns the context of cmd, which ends when the program is
// interrupted. A second interrupt ends the program at once.
func interruptible(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// addRegisteredFlags adds the flags for the game at masters.
func addRegisteredFlags(r *servers.GameKey, flags *pflag.FlagSet) {
	flags.StringVar(&r.Game, "game", "",
		"the name of the `GAME` at masters: for gamespy2, by default gmtest, the sample of GameSpy's SDK; "+
			"for the legacy form of gameagent, by default serioussamse")
	flags.StringVar(&r.Key, "key", "", "the secret `KEY` of the -game")
}

// checkRegistered checks the flags for a protocol.
func checkRegistered(r servers.GameKey, cmd *cobra.Command, p protocols.Protocol) error {
	switch {
	case (r.Game != "" || r.Key != "") && !p.ListsOverTCP:
		return usage.Bad(cmd, "-game and -key are for gamespy2 and gameagent only")
	case r.Key != "" && r.Game == "" && p.Name != "gamespy2":
		return usage.Bad(cmd, "-key needs -game")
	}
	return nil
}

func newServeCommand() *cobra.Command {
	var g servers.Game
	var register []string
	cmd := &cobra.Command{
		Use:   "serve [flags] PROTOCOL|GAME ADDRESS",
		Short: "Run a game server for testing",
		Long: `Serve answers queries as a game server does, until it is interrupted.

PROTOCOL is sqp, gamespy2, gameagent, bomberman, warzone, wzhttp, wztext,
wzbinary or wzjson. ADDRESS is the address to listen on, such as
127.0.0.1:25601 or :25601; port 0 means any free port. All but sqp, gamespy2 and
gameagent need -register, because their clients only query masters. Players can
join the lobby of a bomberman game. A wzjson game is listed at port 2100,
whatever the ADDRESS: the protocol does not send the port.

GAME is a game that "gamequery games" lists, and means its protocol. A server of
minecraft also answers the query clients of Minecraft.

A MASTER may be a name, which may be found later than the server starts, and
move. With masters of gamespy2 and gameagent, a server registers at one IPv4
address of the name, as their lists contain no others, and at another one if the
master is silent there or the name no longer has it. For other protocols, all
addresses are tried until one accepts a connection. Serve prints why a master
does not list the server, when that changes.

If ADDRESS is the address of a network interface, the server registers from
there, because masters list it at the address that it registers from.`,
		Example: `  gamequery serve sqp 127.0.0.1:25601 -name 'My server' -map Yard -players 5
  gamequery serve minecraft 127.0.0.1:25565
  gamequery serve gamespy2 -challenge off 127.0.0.1:29900
  gamequery serve gamespy2 -register 127.0.0.1:27900 -game duel -key KEY :29900
  gamequery serve gameagent -register a.example -register b.example:9005 :25601
  gamequery serve warzone -register 127.0.0.1:9990 127.0.0.1:2100
  gamequery serve warzone -register https://lobby.example/x :2100`,
		Args: wantAddress,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := protocols.Of(cmd, args[0], protocols.Servers())
			if err != nil {
				return err
			}
			if err := checkGame(&g, cmd, p, register); err != nil {
				return err
			}
			if err := checkRegistered(g.Registered, cmd, p); err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			for _, master := range register {
				at, err := p.RegistrationAddress(cmd, master)
				if err != nil {
					return err
				}
				g.Masters = append(g.Masters, at)
			}
			return listenAndServe(ctx, cmd, p, "server", args[1], "", func(at netip.AddrPort) (servers.Server, error) {
				g.At, g.Messages = at, cmd.ErrOrStderr()
				return p.Serve(g)
			})
		},
		ValidArgsFunction:     protocols.Servers().Complete,
		DisableFlagsInUseLine: true,
	}
	flags := cmd.Flags()
	flags.StringVar(&g.Name, "name", "A test server", "the `NAME` of the server")
	flags.StringVar(&g.Level, "map", "Yard", "the `NAME` of the map")
	flags.StringVar(&g.GameType, "type", "",
		"the `TYPE` of the game, by default Deathmatch, and "+servers.MinecraftType+" for Minecraft")
	flags.StringVar(&g.Version, "version", "1.0", "the `VERSION` of the game")
	flags.IntVar(&g.Players, "players", 3, "the `NUMBER` of players")
	flags.IntVar(&g.MaxPlayers, "max", 0, "the largest `NUMBER` of players; 0 means 16, or -players if that is more")
	flags.StringVar(&g.Challenge, "challenge", "offered",
		"for gamespy2, whether clients need a challenge: a `MODE` of off, offered or required")
	addRegisteredFlags(&g.Registered, flags)
	flags.StringVar(&g.Release, "release", "4.0", "for warzone, the `RELEASE` of the game: "+servers.ReleaseNames()+
		"; each includes later releases up to the next one")
	flags.StringArrayVar(&register, "register", nil,
		"register with this `MASTER`, HOST:PORT, or for warzone and wzhttp the URL of an HTTP lobby; "+
			"may be repeated, except for warzone and wzhttp; sqp has no masters")
	return cmd
}

// wantAddress checks the arguments PROTOCOL ADDRESS.
func wantAddress(cmd *cobra.Command, args []string) error {
	if len(args) != 2 {
		return usage.Bad(cmd, "want a PROTOCOL and an ADDRESS")
	}
	return wantListen(cmd, "ADDRESS", args[1])
}

// wantListen checks an address to listen on, which is an argument or a flag.
func wantListen(cmd *cobra.Command, name, addr string) error {
	if err := cli.CheckListen(addr); err != nil {
		return usage.Bad(cmd, "%s %v", name, err)
	}
	return nil
}

// checkGame checks the flags of a game for a protocol, and sets their defaults.
func checkGame(g *servers.Game, cmd *cobra.Command, p protocols.Protocol, register []string) error {
	atURL := slices.IndexFunc(register, targets.IsURL)
	_, isRelease := servers.ReleaseOf(g.Release)
	switch {
	case g.Players < 0 || g.Players > servers.MaxTestPlayers || g.MaxPlayers < 0 ||
		g.MaxPlayers > servers.MaxTestPlayers:
		return usage.Bad(cmd, "-players and -max must be from 0 to %d", servers.MaxTestPlayers)
	case servers.ChallengeModes()[g.Challenge].Meaning == "":
		return usage.Bad(cmd, "-challenge %s: it is off, offered or required", g.Challenge)
	case cmd.Flags().Changed("challenge") && p.Name != "gamespy2":
		return usage.Bad(cmd, "-challenge is for gamespy2 only")
	case cmd.Flags().Changed("release") && p.Name != "warzone":
		return usage.Bad(cmd, "-release is for warzone only")
	case !isRelease:
		return usage.Bad(cmd, "-release %s: it is %s", g.Release, servers.ReleaseNames())
	case atURL >= 0 && p.Name != "warzone" && p.Scheme == "":
		return usage.Bad(cmd, "-register %s: for %s it is host:port", register[atURL], p.Name)
	case len(register) > 1 && (p.Name == "warzone" || p.Scheme != ""):
		return usage.Bad(cmd, "a game of %s has one lobby, so give -register once", p.Name)
	case atURL >= 0 && cmd.Flags().Changed("release"):
		return usage.Bad(cmd, "-release is not for lobbies over HTTP, which only hosts since 4.7 use")
	case cmd.Flags().Changed("register") && p.Master == nil:
		return usage.Bad(cmd, "-register is for %s only", protocols.Masters().Names(" and "))
	case !cmd.Flags().Changed("register") && p.Query == nil:
		return usage.Bad(cmd, "%s needs -register MASTER: its clients query only masters", p.Name)
	}
	setDefaults(g, cmd, p)
	return nil
}

// setDefaults sets the defaults that depend on the protocol.
func setDefaults(g *servers.Game, cmd *cobra.Command, p protocols.Protocol) {
	if !cmd.Flags().Changed("type") {
		g.GameType = cmp.Or(p.GameType, "Deathmatch")
	}
	switch {
	case g.MaxPlayers == 0 && p.Name == "bomberman":
		g.MaxPlayers = bomberman.MaxPlayers
	case g.MaxPlayers == 0:
		g.MaxPlayers = max(16, g.Players)
	}
}

// listenAndServe serves on addr, and sends lists on list unless that is empty, until
// ctx is done.
func listenAndServe(ctx context.Context, cmd *cobra.Command, p protocols.Protocol, what, addr, list string,
	make func(at netip.AddrPort) (servers.Server, error)) error {
	r, err := servers.Open(ctx, p.Network, addr, list, make)
	if err != nil {
		return err
	}
	cli.OutliveLog()
	fmt.Fprintf(cmd.ErrOrStderr(), "%s %s on %s; interrupt to stop\n", p.Name, what, r.Local)
	if r.List != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "lists over TCP on %s\n", r.List.Addr())
	}
	if r.Note != "" {
		fmt.Fprintln(cmd.ErrOrStderr(), r.Note)
	}
	r.Start(ctx)
	failed := r.Wait(ctx)
	failed = errors.Join(failed, r.Stop(ctx))
	fmt.Fprintln(cmd.ErrOrStderr(), r.Stats())
	return failed
}
