package main

import (
	_ "embed"
	"strings"

	"github.com/spf13/cobra"
)

// The dissector is written by hand except for the messages. These, the functions of Go that
// they call, the reader and the rules for streams stand in place of a line each.
var (
	//go:embed dissector.lua
	dissector string
	//go:embed dissectorgo.lua
	dissectorGo string
	//go:embed dissectorreader.lua
	dissectorReader string
	//go:embed dissectorstream.lua
	dissectorStream string
	//go:embed dissected.lua
	dissected string
)

func newDissectorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "dissector",
		Short: "Print a dissector for Wireshark",
		Long: `Dissector prints a dissector in Lua for Wireshark 3.6 and later. It shows the
fields of messages as explain does, over TCP after reassembly. Save it as
lobbywire.lua in the folder of personal Lua plugins, which Wireshark lists
under Help, About, Folders. The ports are preferences of the protocol lobbywire.`,
		Example: "  gamequery dissector",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			parts := strings.NewReplacer("-- GO\n", dissectorGo, "-- READER\n", dissectorReader,
				"-- GENERATED\n", dissected, "-- STREAMS\n", dissectorStream)
			_, err := parts.WriteString(cmd.OutOrStdout(), dissector)
			return err
		},
		DisableFlagsInUseLine: true,
	}
}
