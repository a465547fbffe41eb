package traffic

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
)

// Explain explains the messages of known protocols in a capture and counts the
// rest. The first broken message is an error, unless the capture has cut it.
//
// name is the name of the file, and err is the error of reading it, which follows the
// content.
func Explain(w io.Writer, name string, file capture.File, err error, only string, o formats.Options) error {
	x := explainer{w: w, conversations: Recognize(file.Sent, only, o)}
	for _, s := range file.Sent {
		x.Explain(s)
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

// captureTime is the form of the time above a message.
const captureTime = "15:04:05.000000"

// An explainer explains the content of a capture.
type explainer struct {
	w             io.Writer
	conversations map[Ends]*Conversation

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

func (x *explainer) Explain(s capture.Sent) {
	r, ok := x.read(s)
	if !ok {
		return
	}
	at := "at an unknown time"
	if !s.At.IsZero() {
		at = s.At.UTC().Format(captureTime)
	}
	fmt.Fprintf(x.w, "# %s %v > %v, %s\n", at, s.From, s.To, r.Name)
	for _, mark := range marks(s, r, x.conversations[EndsOf(s)].others) {
		fmt.Fprintf(x.w, "# %s\n", mark)
	}
	err := r.Explain(x.w, s.Data, r.Options)
	switch {
	case s.Missing > 0 || s.NoStart || s.Differs || r.cut():
		x.cut++ // the cut may be the cause of any error
	case err != nil:
		x.broken++
		x.first = cmp.Or(x.first, fmt.Errorf("%v > %v: %w", s.From, s.To, err))
	}
	fmt.Fprintln(x.w)
}

// read reads a message, and reports false and counts it if it is not explained.
func (x *explainer) read(s capture.Sent) (r reading, ok bool) {
	t := x.conversations[EndsOf(s)]
	if why := t.leaves(s); why != "" {
		x.leave(s, why)
		return r, false
	}
	r = t.Session.Read(s)
	if !t.byPort && !r.fits() && r.reach == 0 {
		x.leave(s, "not "+t.Session.name)
		return r, false
	}
	x.explained++
	if r.count > 0 {
		if x.unknown == nil {
			x.unknown = make(map[string]int)
		}
		x.unknown[r.unknown] += r.count
	}
	return r, true
}

// leaves returns why a message cannot be explained.
func (t *Conversation) leaves(s capture.Sent) (why string) {
	switch {
	case len(s.Data) == 0 && s.Missing > 0:
		return "no data captured"
	case len(s.Data) == 0:
		return "empty"
	case t.Session == nil && foreign(s.Data) != "":
		return foreign(s.Data) + ", which is not in the library"
	case t.Session == nil:
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
// services that fit.
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
		mark("cut: the capture lacks %s after the first %d; the next %d are not explained",
			count(s.Missing, "byte"), len(s.Data), s.Unread)
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

// count returns a number with its noun.
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
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
	for _, lines := range [][]string{x.lines(), packetLines(file)} {
		for _, line := range shortened(lines) {
			fmt.Fprintln(x.w, "#", line)
		}
	}
}

// packetLines returns the packets that are not read.
func packetLines(file capture.File) []string {
	lines := make([]string, len(file.Left))
	for i, l := range file.Left {
		lines[i] = fmt.Sprintf("%s: %s", count(l.Packets, "packet"), l.What)
	}
	return lines
}

// shortened returns the first maxLeft lines.
func shortened(lines []string) []string {
	if n := len(lines) - maxLeft; n > 0 {
		return append(lines[:maxLeft:maxLeft], fmt.Sprintf("and %d more such lines", n))
	}
	return lines
}

// lines returns the kinds of unexplained packets, the most frequent first.
func (x *explainer) lines() (lines []string) {
	keys := slices.SortedFunc(maps.Keys(x.left), func(a, b leftOut) int {
		return cmp.Or(cmp.Compare(x.left[b].n, x.left[a].n), a.from.Compare(b.from), a.to.Compare(b.to),
			cmp.Compare(a.why, b.why))
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

// markOfSecret returns a comment about the secret key for a stream from a master, ""
// for other messages.
func markOfSecret(r reading) string {
	c := r.Options.ServerBrowsing
	game := strings.Trim(strconv.QuoteToASCII(c.Request.FromGame), `"`)
	switch {
	case r.Name != formats.Sb2MasterStream || !r.known:
		return ""
	case c.Request.FromGame == "":
		return "encrypted: the capture lacks the request, without which it cannot be decrypted"
	case !c.HasKey():
		return fmt.Sprintf("encrypted with the secret key of %s: give it as -secret %[1]s=KEY", game)
	case r.open || !r.fits():
		return fmt.Sprintf("decrypted with the secret key of %s, which may be wrong", game)
	}
	return fmt.Sprintf("decrypted with the secret key of %s", game)
}
