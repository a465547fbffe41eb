package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/formats"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/input"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
)

func newDecodeCommand() *cobra.Command {
	o := formats.DefaultOptions()
	var in input.Reader
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
			f, _ := formats.Named(args[0])
			in.Stdin = cmd.InOrStdin()
			packets, err := readAll(&in, args[1:], f)
			if err != nil {
				return err
			}
			return terminal.Buffered(cmd.OutOrStdout(), func(w io.Writer) error { return f.Decode(w, packets, o) })
		},
		ValidArgsFunction:     completeMessage,
		DisableFlagsInUseLine: true,
	}
	in.AddFlag(cmd.Flags())
	o.AddFlags(cmd.Flags())
	cmd.Flags().BoolVar(&o.Strict, "strict", false, "accept only what the specification allows")
	cmd.Flags().BoolVar(&list, "list", false, "print the names that MESSAGE can be")
	return cmd
}

// checkMessageAndFiles checks the arguments MESSAGE FILE...
func checkMessageAndFiles(cmd *cobra.Command, args []string) error {
	if len(args) < 2 {
		return usage.Bad(cmd, "want a MESSAGE and a FILE")
	}
	stdin := 0
	for _, name := range args[1:] {
		if name == input.Stdin {
			stdin++
		}
	}
	if stdin > 1 {
		return usage.Bad(cmd, "standard input can be read once only")
	}
	return checkMessage(args[0])
}

// checkMessage checks that a MESSAGE exists.
func checkMessage(name string) error {
	if _, ok := formats.Named(name); !ok {
		return &usage.Error{
			Problem: fmt.Sprintf("no MESSAGE %q", name),
			Advice:  `"gamequery decode -list" prints what there is.`,
		}
	}
	return nil
}

func printFormats(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range formats.All() {
		fmt.Fprintf(t, "%s\t%s\n", f.Name, f.Doc)
	}
	return t.Flush()
}

// readAll returns the bytes of each file, in the format f.
func readAll(in *input.Reader, names []string, f formats.Format) ([][]byte, error) {
	files := make([][]byte, len(names))
	for i, name := range names {
		var err error
		files[i], err = in.Read(name)
		if err != nil {
			return nil, err
		}
		if f.Datagram && len(files[i]) >= formats.MaxDatagram {
			return nil, fmt.Errorf("%s: %d bytes, more than a datagram can have", name, len(files[i]))
		}
	}
	return files, nil
}
