package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/internal/manual"
)

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
