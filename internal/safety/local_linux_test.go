package safety_test

import (
	"net"
	"strconv"
	"testing"

	"github.com/lobbywire/lobbywire"
)

// anyAddress are sockets of all addresses, and two of the addresses at which they receive.
// Linux has all of 127.0.0.0/8.
var anyAddress = []struct {
	addr   string
	locals []string
}{
	{"0.0.0.0:0", []string{"127.0.50.9", "127.0.0.1"}},
	{"[::]:0", []string{"127.0.50.9", "::1"}},
}

// listenAny opens a socket of all addresses, and returns its port.
func listenAny(t *testing.T, addr string) (net.PacketConn, string) {
	t.Helper()
	pc, err := net.ListenPacket("udp", addr)
	if err != nil {
		t.Skip(err)
	}
	return pc, strconv.Itoa(pc.LocalAddr().(*net.UDPAddr).Port)
}

// All servers and masters answer from the address to which a client has sent, on a machine
// with several. Clients accept answers from no other.
func TestServersAnswerFromTheAddressAsked(t *testing.T) {
	for i, k := range kinds {
		for _, tt := range anyAddress {
			pc, port := listenAny(t, tt.addr)
			s := k.make(t, lobbywire.Rates{})
			go s.Serve(pc)
			for _, local := range tt.locals {
				if err := clients[i](t.Context(), net.JoinHostPort(local, port)); err != nil {
					t.Errorf("%s at %s, asked at %s: %v", k.name, tt.addr, local, err)
				}
			}
			must(t, s.Close())
		}
	}
}
