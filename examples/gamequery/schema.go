package main

import (
	_ "embed"
	"io"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
)

func newSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [check]",
		Short: "Print the JSON Schema of what -json prints",
		Long: `Schema prints the JSON Schema of the lines that query, scan, list, browse and
discover print with -json. They have the same members for all protocols.
"schema check" prints the schema of the report of check.`,
		Example: "  gamequery schema\n  gamequery schema check",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 1 && args[0] != "check" {
				return usage.Bad(cmd, "schema takes no arguments, or check")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			text := output.Schema
			if len(args) > 0 {
				text = check.Schema
			}
			_, err := io.WriteString(cmd.OutOrStdout(), text)
			return err
		},
		DisableFlagsInUseLine: true,
	}
}
