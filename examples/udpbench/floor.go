package main

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"time"
)

// Constants of the floor scanner.
const (
	floorWindow  = 200 // queries in flight
	floorTimeout = time.Second
)

// floorScan is a minimal scanner: one socket, one goroutine, one datagram per call, one
// attempt, and answers that are counted but not parsed. It returns the number of servers
// that answered.
func floorScan(ctx context.Context, g *game, targets []netip.AddrPort) (int, error) {
	conn, err := net.ListenUDP("udp4", nil)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	_ = conn.SetReadBuffer(receiveBuffer)
	type flight struct {
		sent  time.Time
		asked int // number of requests
	}
	flights := make(map[netip.AddrPort]*flight, floorWindow)
	buf := make([]byte, 1<<16)
	answered := 0
	for len(targets) > 0 || len(flights) > 0 {
		if ctx.Err() != nil {
			return answered, ctx.Err()
		}
		for len(targets) > 0 && len(flights) < floorWindow {
			flights[targets[0]] = &flight{sent: time.Now(), asked: 1}
			if _, err := conn.WriteToUDPAddrPort(g.requests[0], targets[0]); err != nil {
				return answered, err
			}
			targets = targets[1:]
		}
		if err := conn.SetReadDeadline(time.Now().Add(floorTimeout / 20)); err != nil {
			return answered, err
		}
		n, from, err := conn.ReadFromUDPAddrPort(buf)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			for target, f := range flights {
				if time.Since(f.sent) > floorTimeout {
					delete(flights, target)
				}
			}
			continue
		}
		if err != nil {
			return answered, err
		}
		from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
		f := flights[from]
		if f == nil {
			continue
		}
		if f.asked == len(g.requests) {
			delete(flights, from)
			answered++
			continue
		}
		g.learnFrom(buf[:n], g.requests)
		if _, err := conn.WriteToUDPAddrPort(g.requests[f.asked], from); err != nil {
			return answered, err
		}
		f.asked++
	}
	return answered, nil
}
