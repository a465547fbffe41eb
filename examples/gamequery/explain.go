package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
)

func newExplainCommand() *cobra.Command {
	o := defaultOptions()
	var in input
	var only string
	cmd := &cobra.Command{
		Use:   "explain [flags] {MESSAGE FILE... | CAPTURE}",
		Short: "Print what each byte of packets and streams means",
		Long: `Explain prints the bytes of packets and streams in hexadecimal. Comments give
the offset, length, name and value of each field, and the error, if there is
one. The output can be decoded again with -hex. A file "-" is standard input.

A CAPTURE is a pcap or pcapng file, as written by tcpdump and Wireshark. Explain
prints each datagram and each direction of a TCP connection, after reassembly.
It recognizes the protocol by the ports and the data of both sides, unless -only
gives it. Comments mark missing data, and the last lines count what is not
explained.

GameSpy masters encrypt their lists. -secret gives the secret keys of games,
with which explain decrypts them.`,
		Example: `  gamequery explain sqp.QueryResponse answer.bin
  gamequery explain -hex gameagent.ToMaster - < heartbeat.txt
  gamequery explain games.pcap
  gamequery explain -only wzbin games.pcapng
  gamequery explain -secret gmtest=HA6zkS lists.pcap`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return nil
			}
			return checkMessageAndFiles(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			in.stdin = cmd.InOrStdin()
			if len(args) == 1 {
				b, err := in.raw(args[0])
				if err != nil {
					return notCapture(cmd, args[0], err)
				}
				return buffered(cmd.OutOrStdout(), func(w io.Writer) error {
					known := defaultOptions()
					known.sb2.secret = o.sb2.secret // everything else is in the capture
					return explainCapture(cmd, w, args[0], b, only, known)
				})
			}
			f, _ := formatOf(args[0])
			packets, err := in.readAll(args[1:], f)
			if err != nil {
				return err
			}
			return buffered(cmd.OutOrStdout(), func(w io.Writer) error {
				return explainAll(w, f, args[1:], packets, o)
			})
		},
		ValidArgsFunction:     completeMessageOrCapture,
		DisableFlagsInUseLine: true,
	}
	in.addFlag(cmd.Flags())
	o.addFlags(cmd.Flags())
	cmd.Flags().StringVar(&only, "only", "", "the protocol of a CAPTURE, for example sqp or wzbin")
	return cmd
}

// explainAll explains all packets, and returns the error of the first broken one. The
// parts of a stream are explained together.
func explainAll(w io.Writer, f format, names []string, packets [][]byte, o options) error {
	if _, ok := f.codec.(stream); ok {
		return f.explain(w, slices.Concat(packets...), o)
	}
	var first error
	several := len(packets) > 1
	o.part = o.part || several
	for i, b := range packets {
		if several {
			fmt.Fprintf(w, "# %s\n", printable(names[i]))
		}
		err := f.explain(w, b, o)
		if err != nil && first == nil {
			first = err
			if several {
				first = fmt.Errorf("%s: %w", names[i], err)
			}
		}
	}
	return first
}
