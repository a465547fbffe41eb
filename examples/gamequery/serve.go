package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lobbywire/lobbywire/bomberman"
)

// interruptible returns the context of cmd, which ends when the program is
// interrupted. A second interrupt ends the program at once.
func interruptible(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// A game is the state of a test server.
type game struct {
	name, level, gameType, version string
	players, maxPlayers            int
	challenge                      string     // for gamespy2
	registered                     registered // for gamespy2
	release                        string     // for warzone
	port                           uint16     // of queries
	masters                        []registrationPlace
	messages                       io.Writer // for messages while the server runs
}

// A registered has the name and the secret key of a game at GameSpy masters.
type registered struct{ game, key string }

func (r *registered) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&r.game, "game", "", "the name of the `GAME` for a gamespy2 master; by default gmtest, the sample of GameSpy's SDK;\n"+
		"for a gameagent master, a game that it also lists in the legacy form")
	flags.StringVar(&r.key, "key", "", "the secret `KEY` of that game")
}

// check checks the flags for a protocol.
func (r *registered) check(cmd *cobra.Command, p protocol) error {
	switch {
	case (r.game != "" || r.key != "") && !p.listsOverTCP:
		return badUsage(cmd, "-game and -key are for gamespy2 and gameagent only")
	case r.key != "" && r.game == "":
		return badUsage(cmd, "-key needs -game")
	}
	return nil
}

// orSample returns r or, if it is empty, the sample of GameSpy's SDK.
func (r registered) orSample() registered {
	if r.game == "" {
		return registered{"gmtest", "HA6zkS"}
	}
	return r
}

func newServeCommand() *cobra.Command {
	var g game
	var register []string
	cmd := &cobra.Command{
		Use:   "serve [flags] PROTOCOL ADDRESS",
		Short: "Run a game server for testing",
		Long: `Serve answers queries as a game server does, until it is interrupted.

PROTOCOL is sqp, gamespy2, gameagent, bomberman, warzone, wzhttp, wztext, wzbin
or wzjson. ADDRESS is the address to listen on, such as 127.0.0.1:25601 or
:25601; port 0 means any free port. The last six need -register, because their
clients only query masters. Players can join the lobby of a bomberman game. A
wzjson game is always listed at port 2100, whatever the ADDRESS.

A MASTER may be a name. With masters of gamespy2 and gameagent, a server
registers with each IPv4 address of the name, as their lists contain no others.
For other protocols, all addresses are tried until one accepts a connection.`,
		Example: `  gamequery serve sqp 127.0.0.1:25601 -name 'My server' -map Yard -players 5
  gamequery serve gamespy2 -challenge off 127.0.0.1:29900
  gamequery serve gamespy2 -register 127.0.0.1:27900 -game duel -key KEY :29900
  gamequery serve gameagent -register a.example -register b.example:9005 :25601
  gamequery serve warzone -register 127.0.0.1:9990 127.0.0.1:2100
  gamequery serve warzone -register https://lobby.example/x :2100`,
		Args: wantAddress,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := protocolOf(cmd, args[0], servers())
			if err != nil {
				return err
			}
			if err := g.check(cmd, p, register); err != nil {
				return err
			}
			if err := g.registered.check(cmd, p); err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			for _, master := range register {
				at, err := p.registrationPlace(ctx, cmd, master)
				if err != nil {
					return err
				}
				g.masters = append(g.masters, at)
			}
			return listenAndServe(ctx, cmd, p, "server", args[1], "", func(port uint16) (gameServer, error) {
				g.port, g.messages = port, cmd.ErrOrStderr()
				return p.serve(g)
			})
		},
		ValidArgsFunction:     servers().complete,
		DisableFlagsInUseLine: true,
	}
	flags := cmd.Flags()
	flags.StringVar(&g.name, "name", "A test server", "name of the server")
	flags.StringVar(&g.level, "map", "Yard", "name of the map")
	flags.StringVar(&g.gameType, "type", "Deathmatch", "type of the game")
	flags.StringVar(&g.version, "version", "1.0", "version of the game")
	flags.IntVar(&g.players, "players", 3, "number of players")
	flags.IntVar(&g.maxPlayers, "max", 0, "maximum number of players; 0 means 16, or -players if that is more")
	flags.StringVar(&g.challenge, "challenge", "offered", "for gamespy2, whether clients need a challenge: off, offered or required")
	g.registered.addFlags(flags)
	flags.StringVar(&g.release, "release", "4.0", "for warzone, the release of the game: "+releaseNames()+"; each includes later releases up to the next one")
	flags.StringArrayVar(&register, "register", nil, "for all except sqp, register with this `MASTER`, host:port,\nor for warzone and wzhttp the URL of an HTTP lobby;\nmay be repeated, except for warzone and wzhttp")
	return cmd
}

// wantAddress checks the arguments PROTOCOL ADDRESS.
func wantAddress(cmd *cobra.Command, args []string) error {
	if len(args) != 2 {
		return badUsage(cmd, "want a PROTOCOL and an ADDRESS")
	}
	if _, _, err := net.SplitHostPort(args[1]); err != nil {
		return badUsage(cmd, "ADDRESS %q: write host:port, [IPv6]:port or :port", args[1])
	}
	return nil
}

// maxTestPlayers is the largest number that every protocol can carry.
const maxTestPlayers = 1<<16 - 1

func (g *game) check(cmd *cobra.Command, p protocol, register []string) error {
	atURL := slices.IndexFunc(register, isURL)
	_, isRelease := releaseOf(g.release)
	switch {
	case g.players < 0 || g.players > maxTestPlayers || g.maxPlayers < 0 || g.maxPlayers > maxTestPlayers:
		return badUsage(cmd, "-players and -max must be from 0 to %d", maxTestPlayers)
	case challengeModes()[g.challenge].meaning == "":
		return badUsage(cmd, "-challenge %s: it is off, offered or required", g.challenge)
	case cmd.Flags().Changed("challenge") && p.name != "gamespy2":
		return badUsage(cmd, "-challenge is for gamespy2 only")
	case g.registered != (registered{}) && p.name != "gamespy2":
		return badUsage(cmd, "-game and -key are for gamespy2 only")
	case cmd.Flags().Changed("release") && p.name != "warzone":
		return badUsage(cmd, "-release is for warzone only")
	case !isRelease:
		return badUsage(cmd, "-release %s: it is %s", g.release, releaseNames())
	case atURL >= 0 && p.name != "warzone" && p.scheme == "":
		return badUsage(cmd, "-register %s: for %s it is host:port", register[atURL], p.name)
	case len(register) > 1 && (p.name == "warzone" || p.scheme != ""):
		return badUsage(cmd, "a game of %s has one lobby, so give -register once", p.name)
	case atURL >= 0 && cmd.Flags().Changed("release"):
		return badUsage(cmd, "-release is not for lobbies over HTTP, which only hosts since 4.7 use")
	case cmd.Flags().Changed("register") && p.master == nil:
		return badUsage(cmd, "-register is for %s only", masters().names(" and "))
	case !cmd.Flags().Changed("register") && p.query == nil:
		return badUsage(cmd, "%s needs -register MASTER: its clients query only masters", p.name)
	case g.maxPlayers == 0 && p.name == "bomberman":
		g.maxPlayers = bomberman.MaxPlayers
	case g.maxPlayers == 0:
		g.maxPlayers = max(16, g.players)
	}
	return nil
}

// playerName returns the name of player i.
func playerName(i int) string {
	names := [...]string{"Ada", "Grace", "Zoë", "Łukasz", "Ольга", "健太", "Noor", "Ines"}
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("%s %d", names[i%len(names)], i/len(names)+1)
}

// listenAndServe serves on addr, and sends lists on list unless that is empty, until
// ctx is done.
func listenAndServe(ctx context.Context, cmd *cobra.Command, p protocol, what, addr, list string, make func(port uint16) (gameServer, error)) error {
	r, err := open(ctx, p, addr, list, make)
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s %s on %s; interrupt to stop\n", p.name, what, r.local)
	if r.list != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "lists over TCP on %s\n", r.list.Addr())
	}
	if r.note != "" {
		fmt.Fprintln(cmd.ErrOrStderr(), r.note)
	}
	r.start(ctx)
	failed := r.wait(ctx)
	failed = errors.Join(failed, r.stop(ctx))
	fmt.Fprintln(cmd.ErrOrStderr(), r.stats())
	return failed
}

// tooMany adds advice to the error for a state that cannot be sent.
func tooMany(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w; choose fewer -players or shorter texts", err)
}
