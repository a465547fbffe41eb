package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the length of lines of -help.
const helpWidth = 100

// groupFlags makes -help of the program list its flags in groups, and limits the lines in
// -help of its commands to the same length.
func groupFlags(root *cobra.Command, groups []*flagGroup) {
	const plain = "Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}"
	wrapped := fmt.Sprintf("Flags:\n{{.LocalFlags.FlagUsagesWrapped %d | trimTrailingWhitespaces}}", helpWidth)
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), plain,
		"{{if .HasParent}}"+wrapped+"{{else}}"+inGroups(root, groups)+"{{end}}", 1))
}

// markUsage makes errors in the arguments of a command, and of its commands, usage errors.
func markUsage(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return &usageError{err}
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		markUsage(sub)
	}
}

// inGroups returns the usage of all flags.
func inGroups(root *cobra.Command, groups []*flagGroup) string {
	rest := pflag.NewFlagSet("", pflag.ContinueOnError)
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	root.Flags().VisitAll(func(f *pflag.Flag) {
		for _, g := range groups {
			if g.Lookup(f.Name) != nil {
				return
			}
		}
		rest.AddFlag(f)
	})
	var b strings.Builder
	for _, g := range append(groups, &flagGroup{title: "Others", FlagSet: rest}) {
		fmt.Fprintf(&b, "%s:\n%s\n", g.title, g.FlagUsagesWrapped(helpWidth))
	}
	return strings.TrimSpace(b.String())
}
