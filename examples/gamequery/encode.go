package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/internal/files"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/examples/internal/input"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
)

func newEncodeCommand() *cobra.Command {
	var asHex, split bool
	cmd := &cobra.Command{
		Use:   "encode [flags] MESSAGE",
		Short: "Encode JSON, as printed by decode, into bytes",
		Long: `Encode converts JSON from standard input, in the form of decode, to bytes.

By default, it writes the bytes of one packet or of a stream to standard
output. Use -packets for an answer that needs several packets.`,
		Example: `  gamequery encode -hex sqp.QueryResponse < answer.json
  gamequery encode -packets gameagent.ServerList < servers.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage.Bad(cmd, "want one MESSAGE; the JSON is read from standard input")
			}
			return checkMessage(args[0])
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			f, _ := formats.Named(args[0])
			in := input.Reader{Stdin: cmd.InOrStdin()}
			text, err := in.Raw(input.Stdin)
			if err != nil {
				return err
			}
			text, err = io.ReadAll(files.Text(bytes.NewReader(text)))
			if err != nil {
				return err
			}
			packets, err := f.Encode(text, split)
			if err != nil {
				return err
			}
			return terminal.Buffered(cmd.OutOrStdout(), func(w io.Writer) error {
				return writePackets(w, packets, asHex, split)
			})
		},
		ValidArgsFunction:     completeOneMessage,
		DisableFlagsInUseLine: true,
	}
	cmd.Flags().BoolVar(&asHex, "hex", false, "print hexadecimal, 16 bytes on each line")
	cmd.Flags().BoolVar(&split, "packets", false, "print each packet as one line of hexadecimal")
	return cmd
}

// writePackets writes the bytes of packets, or with split each on its line.
func writePackets(w io.Writer, packets [][]byte, asHex, split bool) error {
	for _, p := range packets {
		switch {
		case split:
			fmt.Fprintln(w, hex.EncodeToString(p))
		case !asHex:
			w.Write(p)
		}
	}
	if split || !asHex {
		return nil
	}
	return traffic.WriteHex(w, slices.Concat(packets...))
}
