package safety_test

import (
	"net"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
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

// A GameAgent master sends challenges and queries to a legacy server from the address that
// received the heartbeat, on its own socket and on the socket of a GameSpy master.
func TestLegacyChecksLeaveFromTheAddressOfTheHeartbeat(t *testing.T) {
	for _, tt := range anyAddress {
		for _, shared := range []bool{false, true} {
			pc, port := listenAny(t, tt.addr)
			listed := make(chan struct{})
			m := &gamespy1net.Master{Admit: func(gamespy1net.Entry) bool {
				close(listed)
				return true
			}}
			at := server(m)
			if shared {
				gameSpy := newGameSpyMaster(lobbywire.Rates{})
				gameSpy.Other = m.RespondAt
				at = gameSpy
				go m.Check(t.Context())
			}
			go at.Serve(pc)

			game, err := net.ListenPacket("udp4", "127.0.0.1:0")
			must(t, err)
			game.SetReadDeadline(time.Now().Add(time.Minute))
			_, own, _ := net.SplitHostPort(game.LocalAddr().String())
			master, err := net.ResolveUDPAddr("udp4", net.JoinHostPort(tt.locals[0], port))
			must(t, err)
			_, err = game.WriteTo([]byte(`\heartbeat\`+own+`\gamename\serioussamse`), master)
			must(t, err)
			b, queried := make([]byte, 2000), false
			for !queried {
				n, from, err := game.ReadFrom(b)
				must(t, err)
				if addr := from.(*net.UDPAddr).AddrPort().Addr(); addr != netip.MustParseAddr(tt.locals[0]) {
					t.Errorf("%s, shared %v: %q from %v", tt.addr, shared, b[:n], from)
				}
				queried = strings.Contains(string(b[:n]), `\status\`)
				if queried {
					_, err := game.WriteTo([]byte(`\gamename\serioussamse\hostname\A\hostport\25600`+
						`\numplayers\0\maxplayers\8\final\\queryid\1.1`), from)
					must(t, err)
				}
			}
			<-listed
			must(t, at.Close())
			must(t, m.Close())
			must(t, game.Close())
		}
	}
}
