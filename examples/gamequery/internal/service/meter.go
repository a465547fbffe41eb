package service

import (
	"context"
	"net"
	"net/netip"
	"sync"
)

// A meter counts what a list costs, and ends reading beyond a limit.
type meter struct {
	client netip.Addr
	budget *budget
	claim  *claim

	mu   sync.Mutex
	read int
	err  error
}

// over returns dial with connections that are counted.
func (m *meter) over(dial func(context.Context, string, string) (net.Conn, error)) func(
	context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &meteredConn{c, m}, nil
	}
}

// add counts n bytes.
func (m *meter) add(n int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := m.read / unitOfList
	m.read += n
	units := m.read / unitOfList
	switch {
	case m.err != nil:
	case m.read > maxListRead:
		m.err = errTooLong
	case units > before && !m.claim.hold(1+units):
		m.err = errBusy
	default:
		m.err = m.spend(units - before)
	}
	return m.err
}

// spend counts units.
func (m *meter) spend(units int) error {
	if units > 0 && !m.budget.listed.allow(m.client, m.client, units) {
		return errBusy
	}
	return nil
}

// failed returns the error that has ended reading, if any.
func (m *meter) failed() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.err
}

// A meteredConn is a connection whose input is counted.
type meteredConn struct {
	net.Conn
	meter *meter
}

func (c *meteredConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if over := c.meter.add(n); over != nil {
		return 0, over
	}
	return n, err
}
