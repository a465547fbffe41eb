package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/expr-lang/expr/file"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lobbywire/lobbywire/examples/internal/atomicfile"
)

// An output has the flags that select servers, the format in which a command prints them
// and the file. The default format is a table.
type output struct {
	json, csv, raw bool
	template       string

	filter, sort string
	top          int // 0 means all

	file string // "" and "-" mean standard output

	// These are set by check.
	condition *condition    // nil means all servers
	order     order         // nil means the default order of the command
	line      *lineTemplate // nil means another format
	tap       *tap          // nil means another format than -raw
}

// addFlags adds the flags for the format and the file.
func (o *output) addFlags(flags *pflag.FlagSet, json string) {
	flags.BoolVar(&o.json, "json", false, json)
	flags.BoolVar(&o.csv, "csv", false, "print CSV, one row for each server")
	flags.StringVar(&o.template, "template", "", "print one line for each server that answers, by this Go `TEMPLATE`, such as\n'{{.name}} {{.players}}'")
	flags.BoolVar(&o.raw, "raw", false, "print the bytes of all requests and responses, with their meaning")
	flags.StringVarP(&o.file, "output", "o", "", "write to this `FILE`, which is replaced when the output is complete")
}

// addListFlags adds the flags that select and sort servers.
func (o *output) addListFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.filter, "filter", "", "print only servers that meet this `CONDITION`, such as\n'players > 0 && map == \"de_dust\"'")
	flags.StringVar(&o.sort, "sort", "", "sort by these `MEMBERS` of the JSON, separated by commas; -players means\ndescending")
	flags.IntVar(&o.top, "top", 0, "print only the first `N` servers")
}

// check checks the flags, before anything is sent. For -raw, it sets the sockets.
func (o *output) check(cmd *cobra.Command, a *asking) (err error) {
	isSet := cmd.Flags().Changed
	atMostOne := func(names ...string) error {
		set := slices.DeleteFunc(names, func(name string) bool { return !isSet(name) })
		if len(set) > 1 {
			return badUsage(cmd, "-%s: want one of them", strings.Join(set, " and -"))
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
		o.tap = new(tap)
		a.sockets = o.tap.sockets()
	}
	if isSet("template") {
		if o.line, err = newLineTemplate(o.template); err != nil {
			return badUsage(cmd, "-template: %v", err)
		}
	}
	if isSet("filter") {
		if o.condition, err = newCondition(o.filter); err != nil {
			return badCondition(err)
		}
	}
	if isSet("sort") {
		if o.order, err = parseOrder(o.sort); err != nil {
			return badUsage(cmd, "-sort: %v", err)
		}
	}
	if isSet("top") && o.top < 1 {
		return badUsage(cmd, "-top must be 1 at least")
	}
	return nil
}

// badCondition returns the error for a -filter, with its position.
func badCondition(err error) error {
	advice := `"gamequery schema" prints the members that a condition can have.`
	var at *file.Error
	if !errors.As(err, &at) {
		return &usageError{problem: fmt.Sprintf("-filter: %v", err), advice: advice}
	}
	return &usageError{
		problem: fmt.Sprintf("-filter: %s, at character %d", at.Message, at.Column+1),
		advice:  strings.TrimPrefix(at.Snippet, "\n") + "\n" + advice,
	}
}

// to runs do and writes its output to the file. The file is replaced if do succeeds, or
// fails after it has printed something.
func (o *output) to(cmd *cobra.Command, do func() error) error {
	if o.raw {
		talk := do
		do = func() error { return errors.Join(talk(), o.writeTapped(cmd)) }
	}
	if o.file == "" || o.file == stdinName {
		return do()
	}
	f, err := atomicfile.Create(o.file, 0o666)
	if err != nil {
		return err
	}
	stdout := cmd.OutOrStdout()
	out := &counter{w: f}
	cmd.SetOut(out)
	if err = do(); !errors.As(err, new(*usageError)) && !isInterrupted(err) {
		err = printJSONError(cmd, err)
	}
	cmd.SetOut(stdout)
	if out.err != nil || isInterrupted(err) || err != nil && out.n == 0 {
		return errors.Join(err, f.Discard())
	}
	return errors.Join(err, f.Commit())
}

// writeTapped prints the recorded bytes that have not been printed yet.
func (o *output) writeTapped(cmd *cobra.Command) error {
	p, _ := protocolNamed(cmd.Flags().Arg(0))
	name := p.name
	if isURL(cmd.Flags().Arg(1)) {
		name = wzhttpProtocol().name // also for a lobby of warzone
	}
	return buffered(cmd.OutOrStdout(), func(w io.Writer) error {
		err := writeRaw(w, name, o.tap.take())
		if lost := o.tap.lost; lost > 0 && err == nil {
			_, err = fmt.Fprintf(w, "# left out: %s, which came too fast\n", count(lost, "byte"))
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
