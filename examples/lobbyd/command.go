package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/examples/internal/manual"
)

// newRootCommand returns the command line; args are its arguments.
func newRootCommand(args []string, reload <-chan os.Signal) *cobra.Command {
	shown, file := defaults(), ""
	root := &cobra.Command{
		Use:     "lobbyd [flags]",
		Version: cli.Version(),
		Short:   "List game servers: GameAgent, GameSpy, Warzone 2100, Bomberman",
		Long: `Lobbyd lists game servers and games for their clients. It is a GameAgent master,
a Warzone 2100 lobby and a Bomberman management server, with a web page, an API and
metrics. By default, it runs all of them. It is also a GameSpy master if the
configuration file has games for it.

The page is at http://127.0.0.1:8080. An address is host:port, :port for all
addresses of the machine, or off. Flags may start with one dash or two. Most can
also be in a file (-config), beside games, keys, limits and bans.`,
		Example: `  lobbyd
  lobbyd -web :8080 -admin /run/lobbyd/admin.sock
  lobbyd check /etc/lobbyd/lobbyd.toml
  lobbyd -bomberman off -gameagent off
  lobbyd -warzone-http :443 -acme lobby.example -acme-cache /var/lib/lobbyd/certificates
  lobbyd -config /etc/lobbyd/lobbyd.toml`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("%q is not a command; -help lists them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := load(args)
			if err != nil {
				return err
			}
			d := newLobbyd(c, cmd.ErrOrStderr())
			for _, n := range oldNames {
				if cmd.Flags().Changed(n.old) {
					d.log.Warn("an old name of a flag", "flag", "-"+n.old, "now", "-"+n.now)
				}
			}
			d.again = func() (config, error) { return load(args) }
			d.inherited = inherited()
			cli.OutliveLog()
			return d.run(cmd.Context(), reload)
		},
		SilenceErrors: true, // run prints them
		SilenceUsage:  true,

		DisableFlagsInUseLine: true,
		CompletionOptions:     cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	groups := flagGroups(&shown, &file)
	for _, g := range groups {
		root.Flags().AddFlagSet(g.FlagSet)
	}
	addOldNames(root.Flags())
	root.Flags().SortFlags = false
	groupFlags(root, groups)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return &usageError{errors.Join(err, errors.New("-help lists the flags"))}
	})
	root.AddCommand(newAdminCommand(), newCheckCommand(), newHealthCommand(), newManCommand())
	markUsage(root)
	return root
}

// newManCommand returns the command man, which makes the manual pages of a release.
func newManCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man FOLDER",
		Short:  "Write a manual page for each command",
		Hidden: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("man: want a FOLDER")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return manual.Write(cmd.Root(), args[0]) },
	}
}
