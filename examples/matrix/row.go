package main

import (
	"context"
	"net"
	"slices"

	"github.com/lobbywire/lobbywire/internal/test/querytools"
)

// A row is a client that reads servers. Either the client or the servers are ours.
type row struct {
	client, server string

	installed func(ctx context.Context) error // nil if there is nothing to install
	start     func(ctx context.Context, c testCase) (running, error)
	query     func(ctx context.Context, addrs ...string) []querytools.Result
	shows     shows
	reasons   []reason
	skips     func(c testCase) bool // cases that the protocol cannot express; nil if there are none
}

func (r row) isImpossible(c testCase) bool { return r.skips != nil && r.skips(c) }

// checkInstalled returns an error if a program of the row is not installed.
func (r row) checkInstalled(ctx context.Context) error {
	if r.installed == nil {
		return nil
	}
	return r.installed(ctx)
}

// shows lists what a client shows besides the name of a server and the number of players.
type shows struct {
	noMap   bool
	score   string // the name of a player's score, if it shows score and ping
	noNames bool   // it shows the number of players, but not their names
	list    bool   // it shows the list of a master

	exactly querytools.Answer // what it shows of a recorded server; empty for others
}

// A reason explains why some cases are not whole, and whose fault that is.
type reason struct {
	of   func(c testCase) bool
	text string
}

// fault returns the reason why a case is not whole, "" if it is unexpected.
func (r row) fault(c testCase) string {
	for _, why := range r.reasons {
		if why.of(c) {
			return why.text
		}
	}
	return ""
}

// named selects the cases with one of the names.
func named(names ...string) func(c testCase) bool {
	return func(c testCase) bool { return slices.Contains(names, c.name) }
}

// moreThan selects the cases with more than n players.
func moreThan(n int) func(c testCase) bool {
	return func(c testCase) bool { return c.players > n }
}

func lossy(c testCase) bool { return c.lossy }

// running is a server that runs. A master also has the entries of its list, unless they
// are the players of the case.
type running struct {
	addr    string
	stop    func()
	entries []string
}

// A packetServer answers datagrams.
type packetServer interface {
	Serve(pc net.PacketConn) error
	Close() error
}

// onSocket runs servers on ports of their own.
func onSocket(newServer func(c testCase) (packetServer, error)) func(ctx context.Context, c testCase) (running, error) {
	return func(_ context.Context, c testCase) (running, error) {
		s, err := newServer(c)
		if err != nil {
			return running{}, err
		}
		pc, err := net.ListenUDP("udp", loopback())
		if err != nil {
			return running{}, err
		}
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(pc) }()
		return running{addr: pc.LocalAddr().String(), stop: func() {
			s.Close()
			<-ended
		}}, nil
	}
}

func loopback() *net.UDPAddr { return &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)} }
