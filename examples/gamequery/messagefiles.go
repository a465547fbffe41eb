package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/examples/internal/input"
	"github.com/lobbywire/lobbywire/internal/hexfile"
)

// formsHelp explains FILE and MESSAGE in the help of decode and explain.
const formsHelp = `A FILE has the bytes themselves, or a text: the output of xxd, hexdump, od,
tcpdump -X or base64, what Wireshark copies, an array or a string literal of C,
Go or Python, or hexadecimal, with comments after #. Standard error tells what a
text was read as. A text with two meanings is refused; -as selects one. Headers
of IP and UDP before the message are left out. A file with a line "# Message:",
such as the .hex files of the packages, needs no MESSAGE.`

// messageAndFiles splits the arguments [MESSAGE] FILE... The message is "" if the first
// argument is a file.
func messageAndFiles(args []string) (message string, files []string) {
	if _, ok := formats.Named(args[0]); !ok && isFile(args[0]) {
		return "", args
	}
	return args[0], args[1:]
}

func isFile(name string) bool {
	_, err := os.Stat(name)
	return name == input.Stdin || err == nil
}

// checkMessageAndFiles checks the arguments [MESSAGE] FILE...
func checkMessageAndFiles(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usage.Bad(cmd, "want a MESSAGE and a FILE")
	}
	message, files := messageAndFiles(args)
	stdin := 0
	for _, name := range files {
		if name == input.Stdin {
			stdin++
		}
	}
	if stdin > 1 {
		return usage.Bad(cmd, "standard input can be read once only")
	}
	if message == "" {
		return nil
	}
	if err := checkMessage(message); err != nil {
		return err
	}
	if len(files) == 0 {
		return usage.Bad(cmd, "want a FILE after %s", message)
	}
	return nil
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

// A messageReader reads the files of decode and explain.
type messageReader struct {
	input.Reader
	options formats.Options
}

// read returns the format and the bytes of each file. Without a message, it is the one that
// the first file names. The content of the first file may be known.
func (r *messageReader) read(cmd *cobra.Command, message string, names []string,
	known []byte) (f formats.Format, packets [][]byte, err error) {
	packets = make([][]byte, len(names))
	for i, name := range names {
		if i == 0 && known != nil {
			packets[i] = known
		} else if packets[i], err = r.Raw(name); err != nil {
			return f, nil, err
		}
	}
	if message == "" {
		f, err = r.named(cmd, names[0], packets[0])
		if err != nil {
			return f, nil, err
		}
	} else {
		f, _ = formats.Named(message)
	}
	o := r.options
	o.Part = o.Part || len(names) > 1
	fits := func(b []byte) bool { return f.Explain(io.Discard, b, o) == nil }
	for i, name := range names {
		packets[i], err = r.Message(name, packets[i], fits)
		if err != nil {
			return f, nil, err
		}
		if f.Datagram && len(packets[i]) >= formats.MaxDatagram {
			return f, nil, fmt.Errorf("%s: %d bytes, more than a datagram can have", name, len(packets[i]))
		}
	}
	return f, packets, nil
}

// named returns the format that the header of a file names, and sets the flags that the header
// has and the command line has not.
func (r *messageReader) named(cmd *cobra.Command, name string, b []byte) (formats.Format, error) {
	header, _, err := hexfile.Parse(string(b))
	message := header["Message"]
	if err != nil || message == "" {
		return formats.Format{}, usage.Bad(cmd, "%s is not a capture and has no line \"# Message:\"; name the MESSAGE before it", name)
	}
	pkg := ""
	if path, err := filepath.Abs(name); err == nil {
		pkg = filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(path))))
	}
	found := formats.Meant(message, pkg, header["Proposal"])
	switch len(found) {
	case 0:
		return formats.Format{}, checkMessage(message)
	case 1:
	default:
		var names []string
		for _, f := range found {
			names = append(names, f.Name)
		}
		return formats.Format{}, usage.Bad(cmd, "%s has the Message %s, which may be %s: name the MESSAGE before it",
			name, message, strings.Join(names, " or "))
	}
	for _, key := range formats.HeaderKeys {
		value := header[key]
		if value == "" || cmd.Flags().Changed(strings.ToLower(key)) {
			continue
		}
		if err := r.options.Set(key, value); err != nil {
			return formats.Format{}, fmt.Errorf("%s: %s: %w", name, key, err)
		}
	}
	if request := header["Request"]; request != "" && !cmd.Flags().Changed("request") {
		path := filepath.Join(filepath.Dir(name), filepath.Base(request)+".hex")
		if err := cmd.Flags().Set("request", path); err != nil {
			return formats.Format{}, fmt.Errorf("%s: Request: %w", name, err)
		}
	}
	return found[0], nil
}
