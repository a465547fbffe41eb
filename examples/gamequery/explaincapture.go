package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
)

// notCapture returns what is wrong with the only argument of explain.
func notCapture(cmd *cobra.Command, name string, err error) error {
	_, isMessage := formatOf(name)
	switch {
	case isMessage:
		return badUsage(cmd, "want a FILE behind %s", name)
	case errors.Is(err, fs.ErrNotExist):
		return badUsage(cmd, "%s is neither a MESSAGE nor a file", name)
	}
	return err
}

// explainCapture explains all of a capture that is of a known protocol.
func explainCapture(cmd *cobra.Command, w io.Writer, name string, b []byte, only string) error {
	if !capture.Is(b) {
		return badUsage(cmd, "%s is no capture; want the MESSAGE that it holds too", name)
	}
	if err := checkDialect(cmd, only); err != nil {
		return err
	}
	all, err := capture.Read(b)
	talks := conversations{only: only, known: make(map[ends]*conversation)}
	var first error
	unknown := 0
	for _, s := range all {
		f, o, ok := talks.formatOf(s)
		if !ok {
			unknown++
			continue
		}
		fmt.Fprintf(w, "# %s %v > %v, %s\n", s.At.UTC().Format("15:04:05.000000"), s.From, s.To, f.name)
		if s.Lacks {
			fmt.Fprintln(w, "# packets behind this were not captured")
		}
		if err := f.explain(w, s.Data, o); err != nil && first == nil {
			first = fmt.Errorf("%s: %v > %v: %w", name, s.From, s.To, err)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "# %d explained, %d of no known protocol\n", len(all)-unknown, unknown)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return first
}

// checkDialect checks that there is a protocol of that name, if it is not empty.
func checkDialect(cmd *cobra.Command, name string) error {
	if names := dialectNames(); name != "" && !slices.Contains(names, name) {
		return badUsage(cmd, "-only %s: it is %s", name, strings.Join(names, ", "))
	}
	return nil
}

func dialectNames() []string {
	var names []string
	for _, d := range dialects() {
		if !slices.Contains(names, d.name) {
			names = append(names, d.name)
		}
	}
	return names
}
