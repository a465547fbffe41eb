package main

import (
	"net/netip"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
)

// An answer is what is known of a server, from a query or from the list of a master.
type answer struct {
	protocol string
	query    netip.AddrPort // the queried address; not valid for an entry of a list
	view     lobbywire.View
	message  any    // the value that the codec returns
	lacks    string // what has not arrived, "" if everything has
	rtt      time.Duration
	attempts int
	err      error // if not nil, there is no answer
}

// answerOf returns a result of a scan.
func answerOf(r lobbywire.ScanResult, a asking) answer {
	got := answer{
		protocol: r.Protocol, query: r.Query, view: r.View, message: r.Answer, rtt: r.RTT, attempts: r.Attempts, err: r.Err,
	}
	if m, ok := r.Answer.(sqp.QueryResponse); ok {
		got.lacks = missingChunks(a.chunks & sqp.AllChunks &^ m.Chunks())
	} else {
		got.lacks = missingPackets(r.Partial)
	}
	return got
}

// addresses returns the cells of tables for the address where players join and for the
// query address. The latter has only the port if the former is known.
func (a answer) addresses() (address, query string) {
	if address = a.address(); address == "" {
		return unknownCell, a.query.String()
	}
	return address, ":" + strconv.Itoa(int(a.query.Port()))
}

// address returns the address where players join, "" if it is unknown.
func (a answer) address() string {
	host := ""
	if a.query.IsValid() {
		host = a.query.Addr().String()
	}
	return a.view.Address(host)
}
