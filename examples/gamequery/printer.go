package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// A layout is the table of a command.
type layout struct {
	header []string // nil means that each row is one cell and is printed at once
	row    func(a answer) []string
	none   string // printed instead of a table without rows; may be empty
}

// write prints the table of servers.
func (l layout) write(w io.Writer, all []answer, on screen) error {
	if len(all) == 0 && l.none == "" {
		return nil
	}
	t := table{header: l.header, none: l.none}
	for _, a := range all {
		t.add(l.row(a)...)
	}
	return t.write(w, on)
}

// A printer prints servers in the format of an output.
type printer struct {
	*output
	layout layout
	on     screen
	w      *bufio.Writer

	compare func(a, b answer) int // the order of the command; nil means the order of arrival
	kept    []kept                // servers that are printed at the end

	added, shown int // numbers of servers
}

// kept is a server with its members, which are nil if they are not needed.
type kept struct {
	answer
	record record
}

// newPrinter returns a printer to w. CSV starts with its header.
func (o *output) newPrinter(w io.Writer, l layout) *printer {
	p := &printer{output: o, layout: l, on: screenOf(w), w: bufio.NewWriter(w)}
	if o.csv {
		_ = writeCSV(p.w, csvColumns[:]) // Flush also returns the error
	}
	return p
}

// isTable reports whether servers are printed as a table.
func (o *output) isTable() bool { return !o.json && !o.csv && !o.raw && o.line == nil }

// waits reports whether servers are printed only at the end.
func (p *printer) waits() bool {
	return p.isTable() && p.layout.header != nil || p.order != nil || p.top > 0
}

// add prints a server that meets the condition, or keeps it for the end. Tables and
// templates have only servers that answered.
func (p *printer) add(a answer) error {
	p.added++
	if a.err != nil && (p.isTable() || p.line != nil) {
		return nil
	}
	k := kept{answer: a}
	if p.condition != nil || p.order != nil || p.csv || p.line != nil {
		var err error
		if k.record, err = a.record(); err != nil {
			return err
		}
	}
	if p.condition != nil {
		if is, err := p.condition.isMetBy(k.record); !is {
			return err
		}
	}
	if p.waits() {
		p.kept = append(p.kept, k)
		return nil
	}
	return p.print(k)
}

func (p *printer) print(k kept) error {
	p.shown++
	switch {
	case p.json:
		return k.writeLine(p.w)
	case p.csv:
		return writeCSV(p.w, csvCells(k.record))
	case p.raw:
		return writeRaw(p.w, k.protocol, p.tap.takeOf(k.query))
	case p.line != nil:
		return p.line.write(p.w, k.record)
	}
	_, err := fmt.Fprintln(p.w, clean(p.layout.row(k.answer)[0]))
	return err
}

// end prints the servers that were kept.
func (p *printer) end() error {
	if p.compare != nil {
		slices.SortStableFunc(p.kept, func(a, b kept) int { return p.compare(a.answer, b.answer) })
	}
	slices.SortStableFunc(p.kept, func(a, b kept) int { return p.order.compare(a.record, b.record) })
	if p.top > 0 && len(p.kept) > p.top {
		p.kept = p.kept[:p.top]
	}
	if !p.isTable() || p.layout.header == nil {
		for _, k := range p.kept {
			if err := p.print(k); err != nil {
				return err
			}
		}
		return p.w.Flush()
	}
	all := make([]answer, len(p.kept))
	for i, k := range p.kept {
		all[i] = k.answer
	}
	p.shown = len(all)
	if p.condition != nil && p.added > 0 {
		p.layout.none = "no server meets the -filter"
	}
	if err := p.layout.write(p.w, all, p.on); err != nil {
		return err
	}
	return p.w.Flush()
}

// printAll prints servers whose results are all known.
func (o *output) printAll(w io.Writer, l layout, all []answer) error {
	p := o.newPrinter(w, l)
	for _, a := range all {
		if err := p.add(a); err != nil {
			return err
		}
	}
	return p.end()
}
