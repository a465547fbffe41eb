package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

// noArguments checks that a command has no arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage.Bad(cmd, "%s takes no arguments", cmd.Name())
	}
	return nil
}

// wantTargets checks that a command has a PROTOCOL. TARGETs may come from a file.
func wantTargets(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usage.Bad(cmd, "want a PROTOCOL and TARGETs")
	}
	return nil
}

// helpWidth is how many columns help has.
const helpWidth = 80

// newRootCommand returns the program. Its clients use the given sockets.
func newRootCommand(via tap.Sockets) *cobra.Command {
	root := &cobra.Command{
		Use:     "gamequery COMMAND",
		Version: cli.Version(),
		Short:   "Query game servers, decode and encode their packets",
		Long: `Gamequery queries game servers, and decodes, explains and encodes the packets of
their protocols. Flags may start with one dash or two.

Exit codes:

` + exitCodes,
		Example: `  gamequery tour
  gamequery query sqp 127.0.0.1:25601`,
		SilenceErrors: true, // run prints them
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage.Bad(cmd, "no command")
			}
			problem := fmt.Sprintf("no command %q", args[0])
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				problem += "; did you mean " + strings.Join(near, " or ") + "?"
			}
			return usage.Bad(cmd, "%s", problem)
		},
		PersistentPreRunE: refuseEmpty,
		RunE:              func(*cobra.Command, []string) error { return nil }, // Args refuses every argument

		DisableFlagsInUseLine:      true,
		SuggestionsMinimumDistance: 2,
	}
	root.SetUsageTemplate(strings.NewReplacer(
		"FlagUsages ", fmt.Sprintf("FlagUsagesWrapped %d ", helpWidth),
		"{{if .Runnable}}\n  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}\n  {{.CommandPath}} [command]{{end}}",
		"\n  {{.UseLine}}",
		`Use "{{.CommandPath}} [command] --help" for more information about a command.`,
		`"{{.UseLine}} -help" explains each, with examples.`,
	).Replace(root.UsageTemplate()))
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		newDecodeCommand(), newExplainCommand(), newEncodeCommand(),
		newQueryCommand(via), newScanCommand(via), newListCommand(via), newBrowseCommand(via), newDiscoverCommand(via),
		newWatchCommand(via), newCheckCommand(via),
		newServeCommand(), newMasterCommand(), newHTTPCommand(),
		newTourCommand(), newGamesCommand(), newSchemaCommand(), newDissectorCommand(),
		newVersionCommand(), newManCommand(),
	)
	addHelp(root)
	root.InitDefaultHelpCmd()
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.Use, help.Short = "help [COMMAND]", "Explain a command"
		help.Long = "Help explains a command, as COMMAND -help does, or a topic."
		help.Example = "  gamequery help scan"
		help.DisableFlagsInUseLine = true
	}
	return root
}

// refuseEmpty refuses flags with an empty value, such as the value of an unset shell
// variable. Without the flag, the command would do something else.
func refuseEmpty(cmd *cobra.Command, _ []string) error {
	for _, name := range []string{"from", "game", "join", "key", "legacy", "metrics"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return usage.Bad(cmd, "-%s is empty", name)
		}
	}
	return nil
}

// flagError returns the error for a flag, with a suggestion if another flag is similar.
func flagError(cmd *cobra.Command, err error) error {
	unknown, isUnknown := errors.AsType[*pflag.NotExistError](err)
	if !isUnknown {
		return usage.Bad(cmd, "%v", err)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "-"+f.Name) })
	if near := cli.Nearest("-"+unknown.GetSpecifiedName(), names); near != "" {
		return usage.Bad(cmd, "%v; did you mean %s?", err, near)
	}
	return usage.Bad(cmd, "%v", err)
}
