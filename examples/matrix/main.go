// Matrix runs all query tools that can be installed against our servers and writes a
// table of the servers that each tool reads.
//
// README.md has the table and explains it.
package main

import (
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
	file := flags.String("file", "", "write the table to the `file`, between its markers")
	check := flags.String("check", "", "fail if a cell is worse than in the table of the `file`")
	bound := flags.Duration("timeout", 2*time.Minute, "end after this long")
	if err := flags.Parse(args); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, *bound, fmt.Errorf("not finished after %v", *bound))
	defer cancel()
	m, err := measure(ctx, rows(), cases())
	if err != nil {
		return err
	}
	table := m.table()
	fmt.Fprint(out, table)
	if *file != "" {
		if err := writeTable(*file, table); err != nil {
			return err
		}
	}
	if *check == "" {
		return nil
	}
	committed, err := readTable(*check)
	if err != nil {
		return err
	}
	return errors.Join(m.worseThan(committed)...)
}
