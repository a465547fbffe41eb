package main

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check/masters"
	checkservers "github.com/lobbywire/lobbywire/examples/gamequery/internal/check/servers"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check/tricks"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
)

// A checking holds the settings of check.
type checking struct {
	protocols.Settings
	check.Options
	json, list         bool
	expect, set, junit string
	fail               string // the lowest level that fails the run
	listen, master     bool
	game               servers.GameKey // of -master
}

const checkHelp = `Check prints what players see of a server, and runs numbered cases against it.
For cases that fail it prints the bytes sent and received, and what they mean.

PROTOCOL is sqp, gamespy2 or gameagent; "auto" finds out which. Of bomberman,
warzone and wzhttp, the lobby of 4.7 over plain HTTP, the masters are checked;
bombermangame is a game server of bomberman, in its lobby. ADDRESS is as for
query.

A case has an ID, which never changes, and a level: must, should or robust.
-list prints all. The cases ask from two ports and, at 127.0.0.0/8, from another
host. One that fails runs again with other ports, and fails only if it fails
twice. After each the server must still answer; otherwise the run ends there.
Robust cases send broken requests, and run only with -robust. Masters list games
of the check for a moment.

The cases cannot know what the game is doing. Give them its state:

  -expect FILE  is a JSON object with the members of -json, such as name, map,
                players, max, port, roster, teams and rules; all that it has is
                compared
  -set URL      takes such an object by PUT, as the sidecar does, and sets the
                state of the game. Check sets states at the edges, and then the
                first one again. The URL must be on this machine or the
                server's machine. Redirects are not followed.

With -master, ADDRESS is of a master of gamespy2 or gameagent, and LIST is where
it serves lists over TCP, for gameagent in the legacy form. By default
LIST is port 28910 of the same host for gamespy2, and for gameagent those cases
are skipped. Check registers servers of -game, whose name at masters starts with
"gamequery check", from sockets of its own, answers the queries of the master,
and removes them at the end. No router may change their ports. The cases of
expiry take minutes, and run only if -case is their ID.

With -listen, it is a server for the author of a client, at ADDRESS, such as
127.0.0.1:25601: of sqp, gamespy2, minecraft or gameagent, a lobby of warzone or
wzhttp, or a management server and a game server of bomberman. It misbehaves in
numbered ways, and says what it received and what the client must show. After
each, it reads from standard input a line with what the client shows.

The exit code is 0 if no case of the level of -fail, or of a graver one, failed,
and otherwise 1. Must is graver than should, and should than robust.`

func newCheckCommand(via tap.Sockets) *cobra.Command {
	c := checking{Settings: protocols.Settings{Sockets: via}}
	cmd := &cobra.Command{
		Use:   "check [flags] PROTOCOL|GAME ADDRESS [LIST]",
		Short: "Check a server of any implementation",
		Long:  checkHelp,
		Example: `  gamequery check sqp 127.0.0.1:25601
  gamequery check auto game.example.org:25601
  gamequery check sqp -case 'sqp/1.*' -json 127.0.0.1:25601
  gamequery check sqp -set http://127.0.0.1:7790/v1/state 127.0.0.1:7778
  gamequery check gamespy2 -robust 127.0.0.1:29900
  gamequery check gameagent -expect state.json -junit report.xml 127.0.0.1:25601
  gamequery check warzone 127.0.0.1:9990
  gamequery check -master gamespy2 -game duel -key KEY 127.0.0.1:27900
  gamequery check -master gameagent 127.0.0.1:27900 127.0.0.1:28900
  gamequery check -listen sqp 127.0.0.1:25601
  gamequery check -listen warzone 127.0.0.1:9990`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case c.list && len(args) < 2:
			case len(args) == 3 && c.master:
			case len(args) != 2:
				return usage.Bad(cmd, "want a PROTOCOL and an ADDRESS, and with -master perhaps a LIST")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.badOptions(cmd); err != nil {
				return err
			}
			if c.list {
				return listCases(cmd.OutOrStdout(), strings.Join(args, ""))
			}
			if c.master {
				return c.runMaster(cmd, args[0], args[1:])
			}
			return c.run(cmd, args[0], args[1])
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if c.listen {
				return protocols.ClientCheckables().Complete(cmd, args, word)
			}
			names, directive := protocols.Checkables().Complete(cmd, args, word)
			if len(args) == 0 {
				names = append(names, protocols.Auto, bombermanGame)
			}
			return names, directive
		},
		DisableFlagsInUseLine: true,
	}
	c.addFlags(cmd.Flags())
	return cmd
}

// addFlags adds the flags of check.
func (c *checking) addFlags(flags *pflag.FlagSet) {
	c.AddFlags(flags)
	flags.BoolVar(&c.json, "json", false, "print JSON, even for an error")
	flags.StringVar(&c.junit, "junit", "", "also write a report of JUnit to this `FILE`")
	flags.StringVar(&c.expect, "expect", "", "the state of the game is in this `FILE`; - is standard input")
	flags.StringVar(&c.set, "set", "", "set states of the game by PUT to this `URL`")
	flags.BoolVar(&c.Robust, "robust", false, "also run the cases of the level robust, which send broken requests")
	flags.StringArrayVar(&c.Match, "case", nil,
		"run only cases whose ID matches this `PATTERN`, such as 'sqp/1.*'; may be repeated")
	flags.StringArrayVar(&c.Skip, "skip", nil, "do not run cases whose ID matches this `PATTERN`; may be repeated")
	flags.StringVar(&c.fail, "fail", string(check.Must), "the lowest `LEVEL` that fails the run: must, should or robust")
	flags.BoolVar(&c.list, "list", false, "print all cases, or those of PROTOCOL, and check nothing")
	flags.BoolVar(&c.listen, "listen", false, "check clients: be a server that misbehaves")
	flags.BoolVar(&c.master, "master", false, "check a master of gamespy2 or gameagent")
	addRegisteredFlags(&c.game, flags)
	flags.DurationVar(&c.Limit, "limit", defaultLimit, "begin no case after this time; 0 means no limit")
	flags.Uint64Var(&c.Seed, "seed", 1, "the `NUMBER` from which broken requests are made")
}

// defaultLimit is longer than any run, except against a hostile server.
const defaultLimit = 10 * time.Minute

// bombermanGame is the name of a protocol that only check has: the game servers of bomberman.
const bombermanGame = "bombermangame"

// levels are the values of -fail.
func levels() []check.Level { return []check.Level{check.Must, check.Should, check.Robust} }

// badOptions returns the error of -case, -skip or -fail.
func (c *checking) badOptions(cmd *cobra.Command) error {
	for _, pattern := range append(slices.Clone(c.Match), c.Skip...) {
		if _, err := path.Match(pattern, ""); err != nil {
			return usage.Bad(cmd, "pattern %q: %v", pattern, err)
		}
	}
	if !slices.Contains(levels(), check.Level(c.fail)) {
		return usage.Bad(cmd, "-fail %q: want must, should or robust", c.fail)
	}
	return nil
}

// failed returns an error if a case of a level that fails the run failed.
func (c *checking) failed(count func(level check.Level) int) error {
	var parts []string
	for _, level := range levels() {
		if n := count(level); n > 0 {
			parts = append(parts, terminal.Count(n, "case")+" of the level "+string(level))
		}
		if level == check.Level(c.fail) {
			break
		}
	}
	if parts == nil {
		return nil
	}
	return fmt.Errorf("%s failed", strings.Join(parts, " and "))
}

// allCases returns the cases of all protocols, with those for masters and clients.
func allCases() (all []check.Case) {
	for _, protocol := range checkservers.Protocols() {
		all = append(all, checkservers.Suite(protocol).Cases...)
	}
	for _, protocol := range []string{"bomberman", "warzone", "wzhttp"} {
		all = append(all, masters.LobbySuite(protocol).Cases...)
	}
	for _, protocol := range []string{"gamespy2", "gameagent"} {
		all = append(all, masters.Suite(protocol, masters.Game{Name: "game"}).Cases...)
	}
	return append(all, tricks.List()...)
}

// listCases prints the cases whose IDs start with the name of a protocol; "" means all.
func listCases(w io.Writer, protocol string) error {
	for _, c := range allCases() {
		if !strings.HasPrefix(c.ID, protocol) {
			continue
		}
		slow := ""
		if c.Slow {
			slow = " (takes minutes, and runs only if -case is its ID)"
		}
		if _, err := fmt.Fprintf(w, "%-22s %-6s  %s%s [%s]\n", c.ID, c.Level, c.Sentence, slow, c.Source); err != nil {
			return err
		}
	}
	return nil
}
