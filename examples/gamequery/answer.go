package main

import (
	"net/netip"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
)

// An answer is what became known of a server: by a query, or by the list of a
// master.
type answer struct {
	protocol string
	query    netip.AddrPort // which was queried; not valid for an entry of a list
	view     lobbywire.View
	message  any    // as the codec has it
	lacks    string // what did not arrive, if not everything did
	rtt      time.Duration
	attempts int
	err      error // why there is nothing else
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

// addresses returns what tables show of where players join, and of where the server
// answers queries: its port, or all of it if the former is not known.
func (a answer) addresses() (address, query string) {
	if address = a.address(); address == "" {
		return untold, a.query.String()
	}
	return address, ":" + strconv.Itoa(int(a.query.Port()))
}

// address returns where players join, "" if that is not known.
func (a answer) address() string {
	host := ""
	if a.query.IsValid() {
		host = a.query.Addr().String()
	}
	return a.view.Address(host)
}
