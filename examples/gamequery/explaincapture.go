package main

import (
	"cmp"
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

// explainCapture explains all of a capture that is of a known protocol, and
// counts the rest. The first broken message is an error, unless the capture
// broke it.
func explainCapture(cmd *cobra.Command, w io.Writer, name string, b []byte, only string) error {
	if !capture.Is(b) {
		return badUsage(cmd, "%s is no capture; want the MESSAGE that it holds too", name)
	}
	if err := checkDialect(cmd, only); err != nil {
		return err
	}
	file, err := capture.Read(b)
	x := explainer{w: w, talks: recognize(file.Sent, only)}
	for _, s := range file.Sent {
		x.explain(s)
	}
	x.summarize(file)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case x.first != nil:
		return fmt.Errorf("%s: %w", name, x.first)
	}
	return nil
}

// checkDialect checks that there is a protocol of that name, if it is not empty.
func checkDialect(cmd *cobra.Command, name string) error {
	if names := dialectNames(); name != "" && !slices.Contains(names, name) {
		return badUsage(cmd, "-only %s: it is %s", name, strings.Join(names, ", "))
	}
	return nil
}

// An explainer explains what a capture holds.
type explainer struct {
	w     io.Writer
	talks map[ends]*talk

	explained, cut, broken int
	first                  error // of the broken ones

	left map[leftOut]int
}

// A leftOut is what is not explained of one direction.
type leftOut struct {
	from, to string
	stream   bool
	why      string
}

func (x *explainer) explain(s capture.Sent) {
	t := x.talks[endsOf(s)]
	if why := t.leaves(s); why != "" {
		x.leave(s, why)
		return
	}
	r := t.speaks.read(s)
	if !t.byPort && !r.fits() && !(s.Stream && r.open) && r.reach == 0 {
		x.leave(s, "not of "+t.speaks.name)
		return
	}
	x.explained++
	at := "at an unknown time"
	if !s.At.IsZero() {
		at = s.At.UTC().Format("15:04:05.000000")
	}
	fmt.Fprintf(x.w, "# %s %v > %v, %s\n", at, s.From, s.To, r.name)
	for _, mark := range marks(s, t.or) {
		fmt.Fprintf(x.w, "# %s\n", mark)
	}
	err := r.explain(x.w, s.Data, r.options)
	switch {
	case r.cut || s.NoStart || s.Differs:
		x.cut++ // any error may be due to the capture
	case err != nil:
		x.broken++
		x.first = cmp.Or(x.first, fmt.Errorf("%v > %v: %w", s.From, s.To, err))
	}
	fmt.Fprintln(x.w)
}

// leaves returns why something that was sent cannot be explained.
func (t *talk) leaves(s capture.Sent) (why string) {
	switch {
	case len(s.Data) == 0 && s.Missing > 0:
		return "of which the capture has no byte"
	case len(s.Data) == 0:
		return "empty"
	case t.speaks == nil:
		return "of no known protocol"
	}
	return ""
}

// leave counts what is not explained.
func (x *explainer) leave(s capture.Sent, why string) {
	if x.left == nil {
		x.left = make(map[leftOut]int)
	}
	x.left[leftOut{s.From.String(), s.To.String(), s.Stream, why}]++
}

// marks returns what has to be known of something that was sent to take it for
// no more than it is.
func marks(s capture.Sent, or []string) (all []string) {
	mark := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if len(or) > 0 {
		mark("or of %s: nothing that was captured speaks against that", strings.Join(or, ", "))
	}
	if s.NoStart {
		mark("cut: the capture does not have the start")
	}
	switch {
	case s.Missing > 0 && !s.Stream:
		mark("cut: the capture has %d of %d bytes", len(s.Data), len(s.Data)+s.Missing)
	case s.Unread > 0:
		mark("cut: behind %d bytes the capture lacks %d; the %d behind those are not explained", len(s.Data), s.Missing, s.Unread)
	case s.Missing > 0:
		mark("cut: behind %d bytes the capture lacks %d", len(s.Data), s.Missing)
	}
	if s.Differs {
		mark("parts were sent again with other bytes; these are the first ones")
	}
	return all
}

// maxLeft is how many kinds of what is not explained are named.
const maxLeft = 20

// summarize says how much was explained, and names what was not.
func (x *explainer) summarize(file capture.File) {
	left, unknown := x.lines(), 0
	for _, n := range x.left {
		unknown += n
	}
	fmt.Fprintf(x.w, "# %d explained, %d not\n", x.explained, unknown)
	if x.cut > 0 {
		fmt.Fprintf(x.w, "# %d of them cut by the capture\n", x.cut)
	}
	if x.broken > 0 {
		fmt.Fprintf(x.w, "# %d of them broken\n", x.broken)
	}
	for _, l := range left[:min(len(left), maxLeft)] {
		fmt.Fprintln(x.w, "#", l)
	}
	if n := len(left) - maxLeft; n > 0 {
		fmt.Fprintf(x.w, "# and %d more directions\n", n)
	}
	for i, l := range file.Left {
		if i == maxLeft {
			fmt.Fprintf(x.w, "# and %d more kinds of packets\n", len(file.Left)-maxLeft)
			return
		}
		fmt.Fprintf(x.w, "# %s: %s\n", count(l.Packets, "packet"), l.What)
	}
}

// lines returns what is not explained, the largest number first.
func (x *explainer) lines() []string {
	type counted struct {
		leftOut
		n int
	}
	var all []counted
	for l, n := range x.left {
		all = append(all, counted{l, n})
	}
	slices.SortFunc(all, func(a, b counted) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.why, b.why))
	})
	lines := make([]string, len(all))
	for i, c := range all {
		what := "datagram"
		if c.stream {
			what = "stream"
		}
		lines[i] = fmt.Sprintf("%s: %s > %s, %s", count(c.n, what), c.from, c.to, c.why)
	}
	return lines
}

// count returns a number of things.
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
