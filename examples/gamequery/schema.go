package main

import (
	_ "embed"
	"io"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
)

func newSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of what -json prints",
		Long: `Schema prints the JSON Schema of the lines that query, scan, list, browse and
discover print with -json. They have the same members for all protocols.`,
		Example: "  gamequery schema",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), output.Schema)
			return err
		},
		DisableFlagsInUseLine: true,
	}
}
