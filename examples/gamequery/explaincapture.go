package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
)

// notCapture returns the error for an argument of explain that is not a capture.
func notCapture(cmd *cobra.Command, name string, err error) error {
	_, isMessage := formatOf(name)
	switch {
	case isMessage:
		return badUsage(cmd, "want a FILE after %s", name)
	case errors.Is(err, fs.ErrNotExist):
		return badUsage(cmd, "%s is neither a MESSAGE nor a file", name)
	}
	return err
}

// explainCapture explains the messages of known protocols in a capture and counts the
// rest. The first broken message is an error, unless the capture has cut it.
func explainCapture(cmd *cobra.Command, w io.Writer, name string, b []byte, only string, o options) error {
	if !capture.Is(b) {
		return badUsage(cmd, "%s is not a capture; name the MESSAGE in it, too", name)
	}
	if err := checkDialect(cmd, only); err != nil {
		return err
	}
	file, err := capture.Read(b)
	x := explainer{w: w, talks: recognize(file.Sent, only, o)}
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

// checkDialect checks that there is a protocol with this name, or that the name is
// empty.
func checkDialect(cmd *cobra.Command, name string) error {
	if names := dialectNames(); name != "" && !slices.Contains(names, name) {
		return badUsage(cmd, "-only %s: it is %s", name, strings.Join(names, ", "))
	}
	return nil
}

// captureTime is the form of the time above a message.
const captureTime = "15:04:05.000000"

// An explainer explains the content of a capture.
type explainer struct {
	w     io.Writer
	talks map[ends]*talk

	explained, cut, broken int
	first                  error // of the broken ones

	left    map[leftOut]*leftCount
	unknown map[string]int // messages of unknown types, by name
}

// A leftOut describes one direction that is not explained.
type leftOut struct {
	from, to netip.AddrPort
	stream   bool
	why      string
}

// A leftCount counts the data that is left out for one reason.
type leftCount struct {
	n     int
	first []byte // of them
}

func (x *explainer) explain(s capture.Sent) {
	t := x.talks[endsOf(s)]
	if why := t.leaves(s); why != "" {
		x.leave(s, why)
		return
	}
	r := t.speaks.read(s)
	if !t.byPort && !r.fits() && r.reach == 0 {
		x.leave(s, "not "+t.speaks.name)
		return
	}
	x.explained++
	at := "at an unknown time"
	if !s.At.IsZero() {
		at = s.At.UTC().Format(captureTime)
	}
	fmt.Fprintf(x.w, "# %s %v > %v, %s\n", at, s.From, s.To, r.name)
	for _, mark := range marks(s, r, t.or) {
		fmt.Fprintf(x.w, "# %s\n", mark)
	}
	if r.count > 0 {
		if x.unknown == nil {
			x.unknown = make(map[string]int)
		}
		x.unknown[r.unknown] += r.count
	}
	err := r.explain(x.w, s.Data, r.options)
	switch {
	case s.Missing > 0 || s.NoStart || s.Differs || r.cut():
		x.cut++ // the cut may be the cause of any error
	case err != nil:
		x.broken++
		x.first = cmp.Or(x.first, fmt.Errorf("%v > %v: %w", s.From, s.To, err))
	}
	fmt.Fprintln(x.w)
}

// leaves returns why a message cannot be explained.
func (t *talk) leaves(s capture.Sent) (why string) {
	switch {
	case len(s.Data) == 0 && s.Missing > 0:
		return "no data captured"
	case len(s.Data) == 0:
		return "empty"
	case t.speaks == nil:
		return "unknown protocol"
	}
	return ""
}

// leave counts a message that is not explained.
func (x *explainer) leave(s capture.Sent, why string) {
	if x.left == nil {
		x.left = make(map[leftOut]*leftCount)
	}
	key := leftOut{s.From, s.To, s.Stream, why}
	if x.left[key] == nil {
		x.left[key] = &leftCount{first: s.Data}
	}
	x.left[key].n++
}

// marks returns comments about the reliability of an explanation, such as other
// dialects that fit.
func marks(s capture.Sent, r reading, or []string) (all []string) {
	mark := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if len(or) > 0 {
		mark("may also be %s: all of the conversation fits that too", strings.Join(or, " or "))
	}
	if len(r.or) > 0 {
		mark("may also be the start of %s", strings.Join(r.or, " or "))
	}
	if s.NoStart {
		mark("cut: the capture lacks the start of the connection")
	}
	switch {
	case s.Missing > 0 && !s.Stream:
		mark("cut: the capture has %d of %d bytes", len(s.Data), len(s.Data)+s.Missing)
	case s.Unread > 0:
		mark("cut: the capture lacks %s after the first %d; the next %d are not explained", count(s.Missing, "byte"), len(s.Data), s.Unread)
	case s.Missing > 0:
		mark("cut: the capture lacks %s after the first %d", count(s.Missing, "byte"), len(s.Data))
	case r.cut():
		mark("cut: the capture ends within a message")
	}
	if secret := markOfSecret(r); secret != "" {
		mark("%s", secret)
	}
	if s.Differs {
		mark("retransmitted with other bytes; the first ones are shown")
	}
	return all
}

// maxLeft is the number of reasons that are listed.
const maxLeft = 20

// summarize prints how much was explained, and lists the rest.
func (x *explainer) summarize(file capture.File) {
	unknown := 0
	for _, l := range x.left {
		unknown += l.n
	}
	fmt.Fprintf(x.w, "# explained %d (cut %d, broken %d), not explained %d\n", x.explained, x.cut, x.broken, unknown)
	for _, name := range slices.Sorted(maps.Keys(x.unknown)) {
		fmt.Fprintf(x.w, "# %s: %s\n", count(x.unknown[name], "message"), name)
	}
	x.list(x.lines())
	packets := make([]string, len(file.Left))
	for i, l := range file.Left {
		packets[i] = fmt.Sprintf("%s: %s", count(l.Packets, "packet"), l.What)
	}
	x.list(packets)
}

// list prints lines about what is not explained.
func (x *explainer) list(lines []string) {
	for _, line := range lines[:min(len(lines), maxLeft)] {
		fmt.Fprintln(x.w, "#", line)
	}
	if n := len(lines) - maxLeft; n > 0 {
		fmt.Fprintf(x.w, "# and %d more such lines\n", n)
	}
}

// lines returns what is not explained, the largest number first.
func (x *explainer) lines() (lines []string) {
	keys := slices.SortedFunc(maps.Keys(x.left), func(a, b leftOut) int {
		return cmp.Or(cmp.Compare(x.left[b].n, x.left[a].n), a.from.Compare(b.from), a.to.Compare(b.to), cmp.Compare(a.why, b.why))
	})
	for _, k := range keys {
		what := "datagram"
		if k.stream {
			what = "stream"
		}
		line := fmt.Sprintf("%s: %v > %v, %s", count(x.left[k].n, what), k.from, k.to, k.why)
		if first := x.left[k].first; len(first) > 0 {
			line += fmt.Sprintf(", starts with % x", first[:min(len(first), 8)])
		}
		lines = append(lines, line)
	}
	return lines
}

// count returns a number with its noun.
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
