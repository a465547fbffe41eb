package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/examples/internal/listing"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
)

func newExplainCommand() *cobra.Command {
	in := messageReader{options: formats.DefaultOptions()}
	var only, into string
	var asHTML bool
	cmd := &cobra.Command{
		Use:   "explain [flags] {[MESSAGE] FILE... | CAPTURE}",
		Short: "Print what each byte of packets and streams means",
		Long: `Explain prints the bytes of packets and streams in hexadecimal. Comments give
the offset, length, name and value of each field, and the error, if there is
one. Decode reads the output again. A file "-" is standard input.

` + formsHelp + `

A CAPTURE is a pcap or pcapng file, as written by tcpdump and Wireshark, also
compressed with gzip, or the output of tcpdump -X or -XX. Explain prints each
datagram and each direction of a TCP connection, after reassembly. It recognizes
the protocol by the ports and the data of both sides, unless -only gives it.
Comments mark missing data, and the last lines count what is not explained.

With -w it writes the CAPTURE again as pcapng, with a comment for each message.
Wireshark shows them as fields with the script that "gamequery dissector"
prints.

GameSpy masters encrypt their lists. Explain decrypts them with the secret keys
of games, which -secret gives.`,
		Example: `  gamequery explain sqp.QueryResponse answer.bin
  gamequery explain -hex gameagent.ToMaster - < heartbeat.txt
  gamequery explain games.pcap
  gamequery explain -html games.pcap > games.html
  gamequery explain -only wzbinary games.pcapng
  gamequery explain -w explained.pcapng games.pcap
  gamequery explain -secret gmtest=HA6zkS lists.pcap`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return nil
			}
			return checkMessageAndFiles(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Stdin, in.Say = cmd.InOrStdin(), cmd.ErrOrStderr()
			message, files := messageAndFiles(args)
			print := func(write func(w io.Writer) error) error {
				if asHTML {
					return writePage(cmd.OutOrStdout(), strings.Join(args, " "), write)
				}
				return terminal.Buffered(cmd.OutOrStdout(), write)
			}
			known := formats.DefaultOptions()
			known.ServerBrowsing.Secret = in.options.ServerBrowsing.Secret // everything else is in the capture
			if into != "" {
				if err := checkDialect(cmd, only); err != nil {
					return err
				}
				c := commented{name: args[0], out: into, only: only}
				return c.run(cmd, &in, known)
			}
			if len(args) > 1 {
				return explainMessages(cmd, &in, message, files, nil, print)
			}
			b, err := in.Raw(args[0])
			if err != nil {
				return notCapture(cmd, args[0], err)
			}
			file, isCapture, err := in.Packets(args[0], b)
			if err != nil {
				return err
			}
			if capture.Is(b) {
				file, err = capture.Read(b)
				isCapture = true
			}
			if !isCapture {
				return explainMessages(cmd, &in, "", args, b, print)
			}
			if err := checkDialect(cmd, only); err != nil {
				return err
			}
			return print(func(w io.Writer) error {
				return traffic.Explain(w, args[0], file, err, only, known)
			})
		},
		ValidArgsFunction:     completeMessageOrCapture,
		DisableFlagsInUseLine: true,
	}
	addFormFlags(cmd.Flags(), &in.Form)
	addMessageFlags(cmd.Flags(), &in.options)
	cmd.Flags().StringVarP(&into, "write", "w", "", "write the CAPTURE with comments to this `FILE`, a pcapng file")
	cmd.Flags().BoolVar(&asHTML, "html", false, "print a page for browsers, which is one file, without scripts")
	cmd.Flags().StringVar(&only, "only", "", "the `PROTOCOL` of a CAPTURE, such as sqp or wzbinary")
	return cmd
}

// writePage writes a listing as a page. The page contains broken messages, too.
func writePage(w io.Writer, title string, write func(w io.Writer) error) error {
	var text bytes.Buffer
	failed := write(&text)
	if text.Len() == 0 {
		return failed
	}
	err := terminal.Buffered(w, func(w io.Writer) error { return listing.Write(w, title, text.Bytes()) })
	return errors.Join(failed, err)
}

// explainMessages explains files with messages. The content of the first may be known.
func explainMessages(cmd *cobra.Command, in *messageReader, message string, files []string, known []byte,
	print func(write func(w io.Writer) error) error) error {
	f, packets, err := in.read(cmd, message, files, known)
	if err != nil {
		return err
	}
	return print(func(w io.Writer) error {
		return explainAll(w, f, files, packets, in.options)
	})
}

// explainAll explains all packets, and returns the error of the first broken one. The
// parts of a stream are explained together.
func explainAll(w io.Writer, f formats.Format, names []string, packets [][]byte, o formats.Options) error {
	if _, ok := f.Codec.(formats.Stream); ok {
		return f.Explain(w, slices.Concat(packets...), o)
	}
	var first error
	several := len(packets) > 1
	o.Part = o.Part || several
	for i, b := range packets {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if several {
			fmt.Fprintf(w, "# %s\n", terminal.Printable(names[i]))
		}
		err := f.Explain(w, b, o)
		if err != nil && first == nil {
			first = err
			if several {
				first = fmt.Errorf("%s: %w", names[i], err)
			}
		}
	}
	return first
}

// notCapture returns the error for an argument of explain that is not a capture.
func notCapture(cmd *cobra.Command, name string, err error) error {
	_, isMessage := formats.Named(name)
	switch {
	case isMessage:
		return usage.Bad(cmd, "want a FILE after %s", name)
	case errors.Is(err, fs.ErrNotExist):
		return usage.Bad(cmd, "%s is neither a MESSAGE nor a file", name)
	}
	return err
}

// checkDialect checks that there is a protocol with this name, or that the name is
// empty.
func checkDialect(cmd *cobra.Command, name string) error {
	if names := traffic.Protocols(); name != "" && !slices.Contains(names, name) {
		return usage.Bad(cmd, "-only %s: it is %s", name, strings.Join(names, ", "))
	}
	return nil
}
