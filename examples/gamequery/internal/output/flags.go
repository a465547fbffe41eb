package output

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/expr-lang/expr/file"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/internal/files"
	"github.com/lobbywire/lobbywire/examples/internal/input"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
)

// Flags are the flags that select servers, the output format and the output file. The
// default format is a table.
type Flags struct {
	JSON, csv, raw bool
	template       string

	filter, sort string
	Top          int // 0 means all

	file string // "" and "-" mean standard output

	// These are set by check.
	Condition *condition    // nil means all servers
	order     order         // nil means the default order of the command
	line      *lineTemplate // nil means another format
	tap       *tap.Tap      // nil means another format than -raw
}

// AddFlags adds the flags for the format and the file.
func (o *Flags) AddFlags(flags *pflag.FlagSet, json string) {
	flags.BoolVar(&o.JSON, "json", false, json)
	flags.BoolVar(&o.csv, "csv", false, "print CSV, one row for each server")
	flags.StringVar(&o.template, "template", "",
		"print one line for each server that answers, by this Go `TEMPLATE`, such as '{{.name}},{{.players}}'")
	flags.BoolVar(&o.raw, "raw", false, "print the bytes of all requests and responses, with their meaning")
	flags.StringVarP(&o.file, "output", "o", "", "write to this `FILE`, which is replaced when the output is complete")
}

// AddListFlags adds the flags that select and sort servers.
func (o *Flags) AddListFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.filter, "filter", "",
		"print only servers that meet this `CONDITION`, such as 'players>0&&max<16'")
	flags.StringVar(&o.sort, "sort", "",
		"sort by these `MEMBERS` of the JSON, with commas between; -players means most players first")
	flags.IntVar(&o.Top, "top", 0, "print only the first `N` servers")
}

// Check checks the flags, before anything is sent. For -raw, it sets the sockets.
func (o *Flags) Check(cmd *cobra.Command, via *tap.Sockets) (err error) {
	isSet := cmd.Flags().Changed
	atMostOne := func(names ...string) error {
		set := slices.DeleteFunc(names, func(name string) bool { return !isSet(name) })
		if len(set) > 1 {
			return usage.Bad(cmd, "-%s: want one of them", strings.Join(set, " and -"))
		}
		return nil
	}
	if err := atMostOne("json", "csv", "template", "raw"); err != nil {
		return err
	}
	for _, name := range []string{"filter", "sort", "top"} {
		if err := atMostOne("raw", name); err != nil {
			return err
		}
	}
	if o.raw {
		o.tap = new(tap.Tap)
		*via = o.tap.Sockets()
	}
	if isSet("template") {
		o.line, err = newLineTemplate(o.template)
		if err != nil {
			return usage.Bad(cmd, "-template: %v", err)
		}
	}
	if isSet("filter") {
		o.Condition, err = newCondition(o.filter)
		if err != nil {
			return badCondition(err)
		}
	}
	if isSet("sort") {
		o.order, err = parseOrder(o.sort)
		if err != nil {
			return usage.Bad(cmd, "-sort: %v", err)
		}
	}
	if isSet("top") && o.Top < 1 {
		return usage.Bad(cmd, "-top must be 1 at least")
	}
	return nil
}

// badCondition returns the error for a -filter, with its position.
func badCondition(err error) error {
	advice := `"gamequery schema" prints the members that a condition can have.`
	var at *file.Error
	if !errors.As(err, &at) {
		return &usage.Error{Problem: fmt.Sprintf("-filter: %v", err), Advice: advice}
	}
	return &usage.Error{
		Problem: fmt.Sprintf("-filter: %s, at character %d", at.Message, at.Column+1),
		Advice:  strings.TrimPrefix(at.Snippet, "\n") + "\n" + advice,
	}
}

// To runs do and writes its output to the file. The file is replaced if do succeeds, or
// fails after it has printed something. protocol is the protocol of the command.
func (o *Flags) To(cmd *cobra.Command, protocol string, do func() error) error {
	if o.raw {
		all := do
		do = func() error { return errors.Join(all(), o.writeTapped(cmd, protocol)) }
	}
	if o.file == "" || o.file == input.Stdin {
		return do()
	}
	f, err := files.Create(o.file, 0o666)
	if err != nil {
		return err
	}
	stdout := cmd.OutOrStdout()
	out := &counter{w: f}
	cmd.SetOut(out)
	if err = do(); !errors.As(err, new(*usage.Error)) && !isInterrupted(err) {
		err = PrintJSONError(cmd, protocol, err)
	}
	cmd.SetOut(stdout)
	if out.err != nil || isInterrupted(err) || err != nil && out.n == 0 {
		return errors.Join(err, f.Discard())
	}
	return errors.Join(err, f.Commit())
}

// writeTapped prints the recorded bytes that have not been printed yet.
func (o *Flags) writeTapped(cmd *cobra.Command, name string) error {
	if targets.IsURL(cmd.Flags().Arg(1)) {
		name = "wzhttp" // also for a lobby of warzone
	}
	return terminal.Buffered(cmd.OutOrStdout(), func(w io.Writer) error {
		err := traffic.WriteRaw(w, name, o.tap.Take())
		if lost := o.tap.Lost; lost > 0 && err == nil {
			_, err = fmt.Fprintf(w, "# left out: %s, which came too fast\n", terminal.Count(lost, "byte"))
		}
		return err
	})
}

// A counter counts the bytes that are written to w.
type counter struct {
	w   io.Writer
	n   int
	err error // the first error of w
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += n
	if c.err == nil {
		c.err = err
	}
	return n, err
}
