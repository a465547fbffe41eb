package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/lobbywire/lobbywire/internal/querytools"
)

// parallel is the number of tools that run at once.
const parallel = 2

// A matrix has the cells of rows by cases.
type matrix struct {
	rows  []row
	cases []testCase
	cells [][]cell
}

// A cell is the result of one tool in one case. A lossy case counts queries.
type cell struct {
	verdict verdict
	lacks   string // what the tool does not read
	count   int    // of lossyRuns, the complete answers
}

// measure fills the cells. It fails if a tool is not installed or a server refuses
// a case.
func measure(ctx context.Context, rows []row, cases []testCase) (*matrix, error) {
	for _, r := range rows {
		if err := r.tool.Installed(ctx); err != nil {
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

// measure runs the row's tool once, against the servers of all cases.
func (r row) measure(ctx context.Context, cases []testCase) ([]cell, error) {
	var addrs []string
	var running closers
	defer running.close()
	for _, c := range cases {
		server, err := r.start(c, &running)
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", r.tool.Name, c.name, err)
		}
		if !c.lossy {
			addrs = append(addrs, server.String())
			continue
		}
		for i := range lossyRuns {
			p, err := startProxy(server.AddrPort(), uint64(i))
			if err != nil {
				return nil, err
			}
			running = append(running, p.close)
			addrs = append(addrs, p.addr())
		}
	}
	results := r.tool.Query(ctx, addrs...)
	cells := make([]cell, len(cases))
	for i, c := range cases {
		n := 1
		if c.lossy {
			n = lossyRuns
		}
		cells[i] = r.judgeAll(c, results[:n])
		results = results[n:]
	}
	return cells, nil
}

// closers stop the servers and proxies.
type closers []func()

func (list closers) close() {
	for _, f := range list {
		f()
	}
}

// start starts the server of a case.
func (r row) start(c testCase, running *closers) (*net.UDPAddr, error) {
	s, err := r.server(c)
	if err != nil {
		return nil, err
	}
	pc, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(pc) }()
	*running = append(*running, func() {
		s.Close()
		<-ended
	})
	return pc.LocalAddr().(*net.UDPAddr), nil
}

// judgeAll sums the results of one case.
func (r row) judgeAll(c testCase, results []querytools.Result) cell {
	sum := cell{verdict: not}
	for _, result := range results {
		v, lacks := not, ""
		if result.Err != nil {
			lacks = result.Err.Error()
		} else {
			v, lacks = judge(r, c, result.Answer)
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
