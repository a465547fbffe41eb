package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/internal/scan"
)

func newScanCommand() *cobra.Command {
	var s scanner
	var from string
	cmd := &cobra.Command{
		Use:   "scan [flags] PROTOCOL [TARGET...]",
		Short: "Ask many servers",
		Long: `Scan asks many servers and prints those that answer.

A TARGET is host:port, [IPv6]:port or a range of ports as
127.0.0.1:25600-25700. A TARGET "-" stands for those that standard input lists,
one a line; the flag -from names a file that does.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return badUsage(cmd, "want a PROTOCOL and TARGETs")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if s.protocol, err = protocolOf(cmd, args[0], queries()); err != nil {
				return err
			}
			if err := s.check(cmd, s.protocol, scanAsks(s.protocol)); err != nil {
				return err
			}
			all, err := readAllTargets(cmd, args[1:], from)
			if err != nil {
				return err
			}
			if len(all) == 0 {
				return badUsage(cmd, "no TARGET: name some, or a file of them with -from")
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			return s.run(ctx, all, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
		ValidArgsFunction:     queries().complete,
		DisableFlagsInUseLine: true,
	}
	s.addFlags(cmd.Flags())
	cmd.Flags().BoolVar(&s.json, "json", false, "print one line of JSON for each server, as they answer")
	cmd.Flags().StringVar(&from, "from", "", "read TARGETs from this `FILE`")
	return cmd
}

// scanAsks are values of -ask for a scan, which has the status only.
func scanAsks(p protocol) []string {
	if p.name == "gameagent" {
		return []string{"status", "legacy"}
	}
	return p.asks
}

// readAllTargets returns the targets of a command line.
func readAllTargets(cmd *cobra.Command, args []string, from string) (targets, error) {
	in := &input{stdin: cmd.InOrStdin()}
	var all targets
	if from != "" {
		listed, err := readTargets(cmd.Context(), in, from)
		if err != nil {
			return nil, err
		}
		all = listed
	}
	for _, arg := range args {
		if arg == stdinName {
			listed, err := readTargets(cmd.Context(), in, arg)
			if err != nil {
				return nil, err
			}
			all = append(all, listed...)
			continue
		}
		t, err := parseTarget(cmd.Context(), arg)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// A scanner is how to scan and to print.
type scanner struct {
	asking
	protocol protocol
	json     bool
}

// A tally counts the servers of a scan.
type tally struct{ answered, silent, lost, failed int }

func (t *tally) count(err error) {
	switch {
	case err == nil:
		t.answered++
	case errors.Is(err, scan.ErrLost):
		t.lost++
	case errors.Is(err, scan.ErrTimeout):
		t.silent++
	default:
		t.failed++
	}
}

// errNoAnswer tells that all servers of a scan were silent.
var errNoAnswer = errors.New("no server answered; check the protocol and that these are ports of queries, or give it a longer -timeout")

// run scans and prints: results to stdout, how it went to stderr.
func (s *scanner) run(ctx context.Context, all targets, stdout, stderr io.Writer) error {
	start := time.Now()
	p := s.progress(all.count(), stdout, stderr)
	var sum tally
	var rows []scanned
	var failed error
	for addr, r := range s.protocol.scan(ctx, all.all(), s.asking) {
		if !addr.IsValid() {
			failed = r.err
			break
		}
		sum.count(r.err)
		_ = p.Add(1) // a bar that cannot be drawn is no reason to end
		switch {
		case s.json:
			failed = writeLine(stdout, addr, r)
		case r.err == nil:
			rows = append(rows, scanned{addr, r.answer})
		}
		if failed != nil {
			break
		}
	}
	_ = p.Clear()
	if !s.json && len(rows) > 0 {
		failed = errors.Join(failed, buffered(stdout, func(w io.Writer) error {
			return writeScanned(w, rows, widthOf(stdout))
		}))
	}
	fmt.Fprintf(stderr, "answered %d, silent %d, lost %d", sum.answered, sum.silent, sum.lost)
	if sum.failed > 0 {
		fmt.Fprintf(stderr, ", failed %d", sum.failed)
	}
	fmt.Fprintf(stderr, ", in %.2f s\n", time.Since(start).Seconds())
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted before the end")
	case failed == nil && sum.answered == 0:
		return errNoAnswer
	}
	return failed
}

// progress returns a bar, which draws nothing unless it is alone on a terminal.
func (s *scanner) progress(count int, stdout, stderr io.Writer) *progressbar.ProgressBar {
	return progressbar.NewOptions(count,
		progressbar.OptionSetWriter(stderr),
		progressbar.OptionSetVisibility(isTerminal(stderr) && !(s.json && isTerminal(stdout))),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetDescription("scanning"),
		progressbar.OptionShowCount(),
		progressbar.OptionSetWidth(30),
		progressbar.OptionClearOnFinish(),
	)
}

// writeLine prints one result as it comes.
func writeLine(w io.Writer, addr netip.AddrPort, r result) error {
	var line []byte
	var err error
	if r.err != nil {
		line, err = errorLine(addr.String(), r.err)
	} else {
		line, err = r.jsonLine(addr.String())
	}
	if err == nil {
		_, err = w.Write(append(line, '\n'))
	}
	return err
}

// scanned is a row of the table.
type scanned struct {
	addr netip.AddrPort
	answer
}

func writeScanned(w io.Writer, rows []scanned, width int) error {
	slices.SortFunc(rows, func(a, b scanned) int {
		return cmp.Or(a.addr.Addr().Compare(b.addr.Addr()), cmp.Compare(a.addr.Port(), b.addr.Port()))
	})
	t := table{header: []string{"ADDRESS", "RTT/ms", "PLAYERS", "TYPE", "MAP", "NAME"}}
	for _, row := range rows {
		r := reportOf(row.message)
		t.add(row.addr.String(), milliseconds(row.rtt), r.playerCount(), r.gameType, r.level, r.name)
	}
	return t.write(w, width)
}
