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
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
	"github.com/lobbywire/lobbywire/internal/hexfile"
)

// formsHelp explains FILE and MESSAGE in the help of decode and explain.
const formsHelp = `A FILE has the bytes themselves, or a text: the output of xxd, hexdump, od,
tcpdump -X, socat -x, Format-Hex or base64, what Wireshark copies or gamedig and
qstat -d print, an array or a string literal of C, Go, Java or Python, a buffer
of Node, \HH, %HH, or hexadecimal, with comments after #. Quotes with > and the
text around one block between lines of three backquotes are left out. Standard
error names the form that the text was read as. A text with two meanings is
refused; -as selects one. Headers of IP and UDP before the message are left out.
Without a MESSAGE, it is the one in a line "# Message:", as in the .hex files of
the packages, or a guess, which standard error names with its doubt.`

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

// read returns the format and the bytes of each file. Without a message, the first file
// names the format. The content of the first file may be known.
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
	var fits func(b []byte) bool
	if f.Name != "" {
		fits = func(b []byte) bool { return f.Explain(io.Discard, b, o) == nil }
	}
	for i, name := range names {
		packets[i], err = r.Message(name, packets[i], fits)
		if err != nil {
			return f, nil, err
		}
		if i == 0 && f.Name == "" {
			if f, err = r.choose(cmd, name, packets[0], o); err != nil {
				return f, nil, err
			}
		}
		if f.Datagram && len(packets[i]) >= formats.MaxDatagram {
			return f, nil, fmt.Errorf("%s: %d bytes, more than a datagram can have", name, len(packets[i]))
		}
	}
	return f, packets, nil
}

// choose returns the format that a message looks like, sets the options to read it, and
// prints its choice.
func (r *messageReader) choose(cmd *cobra.Command, name string, b []byte, o formats.Options) (formats.Format, error) {
	c := traffic.Choose(b, o)
	if c.Name == "" {
		return c.Format, usage.Bad(cmd, "%s is not a capture, and %s; name the MESSAGE before it", name, c.Doubt)
	}
	r.options = c.Options
	said := "taken for: " + c.Name
	if len(c.Or) > 0 {
		said += ", may also be " + strings.Join(c.Or, " or ")
	}
	if c.Doubt != "" {
		said += "; " + c.Doubt
	}
	// An error of printing here is not an error of the file.
	_, _ = fmt.Fprintln(r.Say, said)
	return c.Format, nil
}

// named returns the format that the header of a file names, none if it names none. It sets the
// flags in the header that the command line does not set.
func (r *messageReader) named(cmd *cobra.Command, name string, b []byte) (formats.Format, error) {
	header, _, err := hexfile.Parse(string(b))
	if err != nil {
		return formats.Format{}, nil // another form
	}
	f, err := meant(cmd, name, header)
	if err != nil {
		return f, err
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
	return f, nil
}

// meant returns the format that a header of a file names, none if it names none.
func meant(cmd *cobra.Command, name string, header map[string]string) (formats.Format, error) {
	message := header["Message"]
	if message == "" {
		return formats.Format{}, nil
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
		return found[0], nil
	}
	var names []string
	for _, f := range found {
		names = append(names, f.Name)
	}
	return formats.Format{}, usage.Bad(cmd, "%s has the Message %s, which may be %s: name the MESSAGE before it",
		name, message, strings.Join(names, " or "))
}
