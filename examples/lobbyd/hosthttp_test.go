package main

import (
	"net"
	"testing"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// hostHTTP runs a host of Warzone 4.7.
func hostHTTP(t *testing.T, lobby, name string) *wzhttpnet.Host {
	t.Helper()
	h := &wzhttpnet.Host{Addr: lobby, NoIPv6: true}
	hostHTTPWith(t, h, name)
	return h
}

// hostHTTPWith runs h, whose Port it sets.
func hostHTTPWith(t *testing.T, h *wzhttpnet.Host, name string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h.Port = uint16(ln.Addr().(*net.TCPAddr).Port)
	if err := h.Set(wzhttp.Room{Name: name, Map: wzhttp.Map{Name: "Rush"}, Players: wzhttp.Seats{Max: 4}}); err != nil {
		t.Fatal(err)
	}
	inBackground(t, func() { h.ServeAlive(ln) })
	inBackground(t, func() { h.Run(t.Context()) })
	t.Cleanup(func() { h.Close() })
}
