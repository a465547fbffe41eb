package main

import (
	_ "embed"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// The dissector is written by hand except for the messages, which stand in place of a line.
var (
	//go:embed dissector.lua
	dissector string
	//go:embed dissected.lua
	dissected string
)

func newDissectorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "dissector",
		Short: "Print a dissector for Wireshark",
		Long: `Dissector prints a dissector in Lua for Wireshark 3.6 and later. It shows the
fields of datagrams as explain does. Save it as lobbywire.lua in the folder of
personal Lua plugins, which Wireshark lists under Help, About, Folders. The
ports are preferences of the protocol lobbywire.`,
		Example: "  gamequery dissector",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text := strings.Replace(dissector, "-- GENERATED\n", dissected, 1)
			_, err := io.WriteString(cmd.OutOrStdout(), text)
			return err
		},
		DisableFlagsInUseLine: true,
	}
}
