package output

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
)

// A Layout is the table of a command.
type Layout struct {
	Header []string // nil means that each row is one cell and is printed at once
	Row    func(a Answer) []string
	None   string   // printed instead of a table without rows; may be empty
	spare  []string // headers of columns that are left out on narrow screens, in order
}

// write prints the table of servers.
func (l Layout) write(w io.Writer, all []Answer, on terminal.Screen) error {
	if len(all) == 0 && l.None == "" {
		return nil
	}
	t := terminal.Table{Header: l.Header, None: l.None, Spare: l.spare}
	for _, a := range all {
		t.Add(l.Row(a)...)
	}
	return t.Write(w, on)
}

// A Printer prints servers in the format of an output.
type Printer struct {
	*Flags
	layout Layout
	on     terminal.Screen
	W      *bufio.Writer

	Compare func(a, b Answer) int // the order of the command; nil means the order of arrival
	kept    []kept                // servers that are printed at the end

	Added, Shown int // numbers of servers
}

// kept is a server with its members, which are nil if they are not needed.
type kept struct {
	Answer
	record Record
}

// NewPrinter returns a printer to w. CSV starts with its header.
func (o *Flags) NewPrinter(w io.Writer, l Layout) *Printer {
	p := &Printer{Flags: o, layout: l, on: terminal.ScreenOf(w), W: bufio.NewWriter(w)}
	if o.csv {
		_ = writeCSV(p.W, csvColumns[:]) // Flush also returns the error
	}
	return p
}

// isTable reports whether servers are printed as a table.
func (o *Flags) isTable() bool { return !o.JSON && !o.csv && !o.raw && o.line == nil }

// Waits reports whether servers are printed only at the end.
func (p *Printer) Waits() bool {
	return p.isTable() && p.layout.Header != nil || p.order != nil || p.Top > 0
}

// Add prints a server that meets the condition, or keeps it for the end. Tables and
// templates contain only servers that answered.
func (p *Printer) Add(a Answer) error {
	p.Added++
	if a.Err != nil && (p.isTable() || p.line != nil) {
		return nil
	}
	k := kept{Answer: a}
	if p.Condition != nil || p.order != nil || p.csv || p.line != nil {
		var err error
		k.record, err = a.record()
		if err != nil {
			return err
		}
	}
	if p.Condition != nil {
		if is, err := p.Condition.isMetBy(k.record); !is {
			return err
		}
	}
	if p.Waits() {
		p.kept = append(p.kept, k)
		return nil
	}
	return p.print(k)
}

func (p *Printer) print(k kept) error {
	p.Shown++
	switch {
	case p.JSON:
		return k.WriteLine(p.W)
	case p.csv:
		return writeCSV(p.W, csvCells(k.record))
	case p.raw:
		return traffic.WriteRaw(p.W, k.Protocol, p.tap.TakeOf(k.Query))
	case p.line != nil:
		return p.line.write(p.W, k.record)
	}
	_, err := fmt.Fprintln(p.W, terminal.Clean(p.layout.Row(k.Answer)[0]))
	return err
}

// End prints the servers that were kept.
func (p *Printer) End() error {
	if p.Compare != nil {
		slices.SortStableFunc(p.kept, func(a, b kept) int { return p.Compare(a.Answer, b.Answer) })
	}
	slices.SortStableFunc(p.kept, func(a, b kept) int { return p.order.compare(a.record, b.record) })
	if p.Top > 0 && len(p.kept) > p.Top {
		p.kept = p.kept[:p.Top]
	}
	if !p.isTable() || p.layout.Header == nil {
		for _, k := range p.kept {
			if err := p.print(k); err != nil {
				return err
			}
		}
		return p.W.Flush()
	}
	all := make([]Answer, len(p.kept))
	for i, k := range p.kept {
		all[i] = k.Answer
	}
	p.Shown = len(all)
	if p.Condition != nil && p.Added > 0 {
		p.layout.None = "no server meets the -filter"
	}
	if err := p.layout.write(p.W, all, p.on); err != nil {
		return err
	}
	return p.W.Flush()
}

// PrintAll prints servers whose results are all known.
func (o *Flags) PrintAll(w io.Writer, l Layout, all []Answer) error {
	p := o.NewPrinter(w, l)
	for _, a := range all {
		if err := p.Add(a); err != nil {
			return err
		}
	}
	return p.End()
}
