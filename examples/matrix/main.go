// Matrix runs programs of other projects against ours, and writes tables of what they
// read from our servers and what our clients read from theirs.
//
// README.md contains and explains the table.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "matrix:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("matrix", flag.ContinueOnError)
	file := flags.String("file", "", "write the tables to the `file`, between their markers")
	check := flags.String("check", "", "fail if a cell is worse than in the tables of the `file`")
	bound := flags.Duration("timeout", 2*time.Minute, "end after this long")
	if err := flags.Parse(args); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, *bound, fmt.Errorf("not finished after %v", *bound))
	defer cancel()
	var errs []error
	for _, t := range tables() {
		errs = append(errs, t.run(ctx, out, *file, *check))
	}
	return errors.Join(errs...)
}

// A table consists of rows and a name, which occurs in its markers in a file.
type table struct {
	name  string
	rows  []row
	cases []testCase
}

// tables returns all tables. Some lists have at most 11 entries, so cases with unusual
// texts have 8.
func tables() []table {
	servers, lists := cases(16), cases(8)
	return []table{
		{"their clients", theirClients(), servers},
		{"our clients", ourClients(), servers},
		{"their browsers", theirBrowsers(), lists},
		{"our browsers", ourBrowsers(), lists},
		{"recorded", recorded(), recordings()},
	}
}

// run measures the table, prints it, writes it to a file, and compares it with the table
// in another file.
func (t table) run(ctx context.Context, out io.Writer, file, check string) error {
	m, err := measure(ctx, t.rows, t.cases)
	if err != nil {
		return err
	}
	var worse []error
	if before := cmp.Or(check, file); before != "" {
		committed, err := readTable(before, t.name)
		if err != nil {
			return err
		}
		worse, err = m.compare(ctx, committed)
		if err != nil {
			return err
		}
	}
	text := m.table()
	fmt.Fprintln(out, text)
	if file != "" {
		if err := writeTable(file, t.name, text); err != nil {
			return err
		}
	}
	if check == "" {
		return nil
	}
	return errors.Join(worse...)
}
