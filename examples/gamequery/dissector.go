package main

import (
	_ "embed"
	"io"

	"github.com/spf13/cobra"
)

// dissector is a script for Wireshark.
//
//go:embed dissector.lua
var dissector string

func newDissectorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "dissector",
		Short: "Print a script that shows explained captures in Wireshark",
		Long: `Dissector prints a script in Lua for Wireshark 3.6 and later. It shows the
comments that "gamequery explain -w" writes as fields, with their bytes. Save it
as lobbywire.lua in the folder of personal Lua plugins, which Wireshark lists
under Help, About, Folders.`,
		Example: "  gamequery dissector > lobbywire.lua",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), dissector)
			return err
		},
		DisableFlagsInUseLine: true,
	}
}
