package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
)

func newDecodeCommand() *cobra.Command {
	in := messageReader{options: formats.DefaultOptions()}
	var list bool
	cmd := &cobra.Command{
		Use:   "decode [flags] [MESSAGE] FILE...",
		Short: "Print packets and streams as JSON",
		Long: `Decode prints packets and streams as JSON.

Several files are the datagrams of one split answer, in any order, or the
parts of one stream, in order. A file "-" is standard input.

` + formsHelp,
		Example: `  gamequery decode -list
  gamequery decode sqp.QueryResponse answer.bin
  gamequery decode sqp.QueryResponse - < hexdump.txt
  gamequery decode gamespy2.Response part0.hex part1.hex
  gamequery decode wztext.Stream - < session.bin`,
		Args: func(cmd *cobra.Command, args []string) error {
			if list {
				return nil
			}
			return checkMessageAndFiles(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if list {
				return printFormats(cmd.OutOrStdout())
			}
			in.Stdin, in.Say = cmd.InOrStdin(), cmd.ErrOrStderr()
			message, files := messageAndFiles(args)
			f, packets, err := in.read(cmd, message, files, nil)
			if err != nil {
				return err
			}
			err = terminal.Buffered(cmd.OutOrStdout(), func(w io.Writer) error { return f.Decode(w, packets, in.options) })
			if errors.Is(err, formats.ErrOnePacket) {
				err = &usage.Error{
					Problem: "several files, but this message is never split",
					Advice:  "Give one file at a time.",
				}
			}
			return err
		},
		ValidArgsFunction:     completeMessage,
		DisableFlagsInUseLine: true,
	}
	addFormFlags(cmd.Flags(), &in.Form)
	addMessageFlags(cmd.Flags(), &in.options)
	cmd.Flags().BoolVar(&in.options.Strict, "strict", false, "accept only what the specification allows")
	cmd.Flags().BoolVar(&list, "list", false, "print the names that MESSAGE can be")
	return cmd
}

func printFormats(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range formats.All() {
		fmt.Fprintf(t, "%s\t%s\n", f.Name, f.Doc)
	}
	return t.Flush()
}
