package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/internal/version"
)

// A usageError is an error in the command line.
type usageError struct {
	problem string
	advice  string // what to do
}

func (e *usageError) Error() string { return e.problem }

// badUsage returns a usageError that points to the help of cmd.
func badUsage(cmd *cobra.Command, format string, args ...any) error {
	return &usageError{
		problem: fmt.Sprintf(format, args...),
		advice:  fmt.Sprintf("usage: %s\nSee %q for details.", cmd.UseLine(), cmd.CommandPath()+" -help"),
	}
}

// noArguments checks that a command has no arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return badUsage(cmd, "%s takes no arguments", cmd.Name())
	}
	return nil
}

// wantTargets checks that a command has a PROTOCOL. TARGETs may come from a file.
func wantTargets(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return badUsage(cmd, "want a PROTOCOL and TARGETs")
	}
	return nil
}

// helpWidth is how many columns help has.
const helpWidth = 80

// newRootCommand returns the program. Its clients use the given sockets.
func newRootCommand(via sockets) *cobra.Command {
	root := &cobra.Command{
		Use:     "gamequery COMMAND",
		Version: version.Text(),
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
				return badUsage(cmd, "no command")
			}
			problem := fmt.Sprintf("no command %q", args[0])
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				problem += "; did you mean " + strings.Join(near, " or ") + "?"
			}
			return badUsage(cmd, "%s", problem)
		},
		RunE: func(*cobra.Command, []string) error { return nil }, // Args refuses whatever comes here

		DisableFlagsInUseLine:      true,
		SuggestionsMinimumDistance: 2,
	}
	// Flags are explained within the columns of a terminal.
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "FlagUsages ", fmt.Sprintf("FlagUsagesWrapped %d ", helpWidth)))
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return badUsage(cmd, "%v", err) })
	root.AddCommand(
		newDecodeCommand(), newExplainCommand(), newEncodeCommand(),
		newQueryCommand(via), newScanCommand(via), newListCommand(via), newBrowseCommand(via), newDiscoverCommand(via),
		newUICommand(via), newWatchCommand(via), newServeCommand(), newMasterCommand(), newTourCommand(), newGamesCommand(), newSchemaCommand(),
		newVersionCommand(),
	)
	return root
}

// printable returns s on one line and without control characters.
func printable(s string) string {
	if strings.ContainsFunc(s, func(c rune) bool { return !unicode.IsPrint(c) }) {
		quoted := strconv.Quote(s)
		return quoted[1 : len(quoted)-1]
	}
	return s
}

// buffered lets write write to w in large pieces.
func buffered(w io.Writer, write func(w io.Writer) error) error {
	buf := bufio.NewWriter(w)
	err := write(buf)
	return errors.Join(err, buf.Flush())
}
