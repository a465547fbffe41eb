//go:build linux

package safety_test

import (
	"context"
	"net"
	"testing"
	"time"
)

// startEcho starts an echo server for datagrams that nobody attacks. end stops it.
func startEcho(t *testing.T) (echo *target, end func() error) {
	pc, err := net.ListenPacket("udp4", "127.0.0.1:0")
	must(t, err)
	go func() {
		b := make([]byte, 64)
		for {
			n, from, err := pc.ReadFrom(b)
			if err != nil {
				return
			}
			pc.WriteTo(b[:n], from)
		}
	}()
	addr := pc.LocalAddr().String()
	return &target{name: "echo, not attacked", honest: func(ctx context.Context) error {
		conn, err := new(net.Dialer).DialContext(ctx, "udp4", addr)
		if err != nil {
			return err
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(patience))
		if _, err := conn.Write([]byte("echo")); err != nil {
			return err
		}
		_, err = conn.Read(make([]byte, 64))
		return err
	}}, pc.Close
}
