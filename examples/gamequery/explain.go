package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/sqp"
)

func newExplainCommand() *cobra.Command {
	o := options{chunks: sqp.ChunkServerInfo}
	var in input
	cmd := &cobra.Command{
		Use:   "explain [-chunks MASK] [-hex] MESSAGE FILE...",
		Short: "Print what each byte of packets and streams means",
		Long: `Explain prints the bytes of packets and streams in hexadecimal. Comments give
the offset, length, name and value of each field, and where it breaks, the error.
The result can be decoded again, with -hex. A file "-" is standard input.`,
		Args: checkMessageAndFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			f, _ := formatOf(args[0])
			in.stdin = cmd.InOrStdin()
			packets, err := in.readAll(args[1:])
			if err != nil {
				return err
			}
			return buffered(cmd.OutOrStdout(), func(w io.Writer) error {
				return explainAll(w, f, args[1:], packets, o)
			})
		},
		ValidArgsFunction:     completeMessage,
		DisableFlagsInUseLine: true,
	}
	addInputFlags(cmd, &in, &o)
	return cmd
}

// explainAll explains each packet, and goes on after a broken one. The error is
// that of the first. The pieces of a stream are explained as one.
func explainAll(w io.Writer, f format, names []string, packets [][]byte, o options) error {
	if _, ok := f.codec.(stream); ok {
		return f.explain(w, slices.Concat(packets...), o)
	}
	var first error
	o.part = len(packets) > 1
	for i, b := range packets {
		if o.part {
			fmt.Fprintf(w, "# %s\n", printable(names[i]))
		}
		err := f.explain(w, b, o)
		if err != nil && first == nil {
			first = err
			if o.part {
				first = fmt.Errorf("%s: %w", names[i], err)
			}
		}
	}
	return first
}
