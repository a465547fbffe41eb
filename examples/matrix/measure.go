package main

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"

	"github.com/lobbywire/lobbywire/internal/test/querytools"
)

// parallel is the number of rows that are measured at once.
const parallel = 4

// A matrix holds the cells of rows by cases.
type matrix struct {
	rows  []row
	cases []testCase
	cells [][]cell
}

// A cell is the result of one client in one case. A lossy case counts queries.
type cell struct {
	verdict verdict
	lacks   string // what the client does not read
	count   int    // of lossyRuns, the complete answers
}

// measure fills the cells. It fails if a program is not installed, or a server of ours
// refuses a case.
func measure(ctx context.Context, rows []row, cases []testCase) (*matrix, error) {
	for _, r := range rows {
		if err := r.checkInstalled(ctx); err != nil {
			return nil, err
		}
	}
	m := &matrix{rows, cases, make([][]cell, len(rows))}
	room := make(chan struct{}, parallel)
	errs := make([]error, len(rows))
	var all sync.WaitGroup
	for i, r := range rows {
		all.Go(func() {
			room <- struct{}{}
			m.cells[i], errs[i] = r.measure(ctx, cases)
			<-room
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return m, errors.Join(errs...)
}

// measure runs the row's client once, against the servers of all cases.
func (r row) measure(ctx context.Context, cases []testCase) ([]cell, error) {
	var addrs []string
	entries := make([][]string, len(cases))
	var stops []func() // of servers and proxies
	defer func() {
		for _, stop := range stops {
			stop()
		}
	}()
	for i, c := range cases {
		if r.isImpossible(c) {
			continue
		}
		server, err := r.start(ctx, c)
		if server.stop != nil {
			stops = append(stops, server.stop)
		}
		if err != nil {
			return nil, fmt.Errorf("%s, %s, %s: %w", r.client, r.server, c.name, err)
		}
		entries[i] = server.entries
		if !c.lossy {
			addrs = append(addrs, server.addr)
			continue
		}
		addr, err := netip.ParseAddrPort(server.addr)
		if err != nil {
			return nil, err
		}
		for i := range lossyRuns {
			p, err := startProxy(addr, uint64(i))
			if err != nil {
				return nil, err
			}
			stops = append(stops, p.close)
			addrs = append(addrs, p.addr())
		}
	}
	results := r.query(ctx, addrs...)
	cells := make([]cell, len(cases))
	for i, c := range cases {
		if r.isImpossible(c) {
			cells[i].verdict = impossible
			continue
		}
		n := 1
		if c.lossy {
			n = lossyRuns
		}
		cells[i] = r.judgeAll(c, entries[i], results[:n])
		results = results[n:]
	}
	return cells, nil
}

// judgeAll sums the results of one case.
func (r row) judgeAll(c testCase, entries []string, results []querytools.Result) cell {
	sum := cell{verdict: not}
	for _, result := range results {
		v, lacks := not, ""
		if result.Err != nil {
			lacks = result.Err.Error()
		} else {
			v, lacks = r.shows.judge(c, entries, result.Answer)
		}
		if v == whole {
			sum.count++
		} else {
			sum.lacks = lacks
		}
		sum.verdict = max(sum.verdict, v)
	}
	if sum.count < len(results) {
		sum.verdict = min(sum.verdict, partly)
	}
	return sum
}
