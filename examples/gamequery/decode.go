package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

func newDecodeCommand() *cobra.Command {
	o := defaultOptions()
	var in input
	var list bool
	cmd := &cobra.Command{
		Use:   "decode [flags] MESSAGE FILE...",
		Short: "Print packets and streams as JSON",
		Long: `Decode prints packets and streams as JSON.

Several files are the datagrams of one split answer, in any order, or the
parts of one stream, in order. A file "-" is standard input.`,
		Example: `  gamequery decode -list
  gamequery decode sqp.QueryResponse answer.bin
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
			f, _ := formatOf(args[0])
			in.stdin = cmd.InOrStdin()
			packets, err := in.readAll(args[1:], f)
			if err != nil {
				return err
			}
			return buffered(cmd.OutOrStdout(), func(w io.Writer) error { return f.decode(w, packets, o) })
		},
		ValidArgsFunction:     completeMessage,
		DisableFlagsInUseLine: true,
	}
	in.addFlag(cmd.Flags())
	o.addFlags(cmd.Flags())
	cmd.Flags().BoolVar(&o.strict, "strict", false, "accept only what the specification allows")
	cmd.Flags().BoolVar(&list, "list", false, "print the names that MESSAGE can be")
	return cmd
}

// checkMessageAndFiles checks the arguments MESSAGE FILE...
func checkMessageAndFiles(cmd *cobra.Command, args []string) error {
	if len(args) < 2 {
		return badUsage(cmd, "want a MESSAGE and a FILE")
	}
	stdin := 0
	for _, name := range args[1:] {
		if name == stdinName {
			stdin++
		}
	}
	if stdin > 1 {
		return badUsage(cmd, "standard input can be read once only")
	}
	return checkMessage(args[0])
}

// checkMessage checks that a MESSAGE exists.
func checkMessage(name string) error {
	if _, ok := formatOf(name); !ok {
		return &usageError{
			problem: fmt.Sprintf("no MESSAGE %q", name),
			advice:  `"gamequery decode -list" prints what there is.`,
		}
	}
	return nil
}

func printFormats(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range formats() {
		fmt.Fprintf(t, "%s\t%s\n", f.name, f.doc)
	}
	return t.Flush()
}
