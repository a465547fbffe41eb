// Package dnstest answers for names in tests, without a network.
package dnstest

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// Resolve makes lookup the source of all addresses until the test ends. A name without
// addresses does not exist. Calls of lookup are concurrent, two for each name.
//
// Services are the records SRV by their names, such as "_minecraft._tcp.example.org.".
//
// Tests that use testing/synctest must call Resolve before: the net package keeps channels of
// its first lookup.
func Resolve(t *testing.T, lookup func(name string) []netip.Addr, services ...map[string]net.SRV) {
	before := net.DefaultResolver
	t.Cleanup(func() { net.DefaultResolver = before })
	dial := func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go serve(there, lookup, services)
		return here, nil
	}
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: dial}
	first := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, net.ErrClosed
	}}
	first.LookupNetIP(t.Context(), "ip", "example.org.")
}

// serve answers the questions of a connection, in the form for TCP, each after its
// length.
func serve(conn net.Conn, lookup func(name string) []netip.Addr, services []map[string]net.SRV) {
	defer conn.Close()
	for {
		size := make([]byte, 2)
		if _, err := io.ReadFull(conn, size); err != nil {
			return
		}
		b := make([]byte, binary.BigEndian.Uint16(size))
		if _, err := io.ReadFull(conn, b); err != nil {
			return
		}
		b, err := answer(b, lookup, services)
		if err != nil {
			return
		}
		conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(b))), b...))
	}
}

func answer(question []byte, lookup func(name string) []netip.Addr, services []map[string]net.SRV) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(question); err != nil {
		return nil, err
	}
	q := m.Questions[0]
	m.Response, m.Additionals = true, nil
	for _, records := range services {
		record, ok := records[q.Name.String()]
		if !ok || q.Type != dnsmessage.TypeSRV {
			continue
		}
		target, err := dnsmessage.NewName(record.Target)
		if err != nil {
			return nil, err
		}
		m.Answers = append(m.Answers, dnsmessage.Resource{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 1},
			Body:   &dnsmessage.SRVResource{Port: record.Port, Target: target},
		})
		return m.Pack()
	}
	found := lookup(q.Name.String())
	if len(found) == 0 {
		m.RCode = dnsmessage.RCodeNameError
	}
	for _, addr := range found {
		r := dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 1}}
		switch {
		case q.Type == dnsmessage.TypeA && addr.Is4():
			r.Body = &dnsmessage.AResource{A: addr.As4()}
		case q.Type == dnsmessage.TypeAAAA && addr.Is6():
			r.Body = &dnsmessage.AAAAResource{AAAA: addr.As16()}
		default:
			continue
		}
		m.Answers = append(m.Answers, r)
	}
	return m.Pack()
}
