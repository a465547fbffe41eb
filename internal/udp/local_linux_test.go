package udp

import (
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// anyAddress are sockets that are bound to all addresses, and some of the addresses at which
// they receive. Linux has all of 127.0.0.0/8.
var anyAddress = []struct {
	network, addr string
	locals        []string
}{
	{"udp4", "0.0.0.0:0", []string{"127.0.50.9", "127.0.0.1", "127.9.8.7"}},
	{"udp", "[::]:0", []string{"127.0.50.9", "127.0.0.1", "::1"}},
	{"udp6", "[::]:0", []string{"::1"}},
}

// listen opens a socket.
func listen(t testing.TB, network, addr string) net.PacketConn {
	t.Helper()
	pc, err := net.ListenPacket(network, addr)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { pc.Close() })
	return pc
}

// dial opens a socket for each local address of pc. It receives only what comes from there.
func dial(t testing.TB, pc net.PacketConn, locals []string) []net.Conn {
	t.Helper()
	var all []net.Conn
	for _, at := range locals {
		conn, err := net.Dial("udp", net.JoinHostPort(at, strconv.Itoa(int(local(pc).Port()))))
		if err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { conn.Close() })
		conn.SetReadDeadline(time.Now().Add(time.Minute))
		all = append(all, conn)
	}
	return all
}

// Answers leave from the address at which their request arrived, also if the kernel cuts
// them or refuses to cut them, or if requests to different addresses share a batch.
func TestAnswersLeaveFromTheAddressAsked(t *testing.T) {
	conns := map[string]func(net.PacketConn, int) Conn{
		"batch":  newServerConn,
		"single": func(pc net.PacketConn, n int) Conn { return newSingleServer(pc, n) },
	}
	for name, newConn := range conns {
		for _, tt := range anyAddress {
			for _, checksums := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s, %s %s, checksums %v", name, tt.network, tt.addr, checksums), func(t *testing.T) {
					pc := listen(t, tt.network, tt.addr)
					if !checksums {
						withoutChecksums(t, pc)
					}
					answersFromTheAddressAsked(t, pc, newConn(pc, 64), tt.locals)
				})
			}
		}
	}
}

func answersFromTheAddressAsked(t *testing.T, pc net.PacketConn, c Conn, locals []string) {
	t.Helper()
	const rounds = 3
	clients := dial(t, pc, locals)
	for range rounds {
		for i, client := range clients {
			if _, err := client.Write([]byte(locals[i])); err != nil {
				t.Fatal(err)
			}
		}
	}
	answers, sent := []int{100, 100, 20, 7}, 0
	for left := rounds * len(locals); left > 0; {
		n, err := c.Read()
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			_, at, _ := c.Packet(i)
			if got := c.Local(i); got.String() != string(at) {
				t.Errorf("a request to %s arrived at %v", at, got)
			}
			s, failed := c.Answer(i, parts(answers...))
			sent += s
			if failed > 0 {
				t.Errorf("%d datagrams from %s failed", failed, at)
			}
		}
		s, failed := c.Flush()
		sent += s
		if failed > 0 {
			t.Errorf("%d datagrams failed", failed)
		}
		left -= n
	}
	if want := rounds * len(locals) * len(answers); sent != want {
		t.Errorf("%d datagrams sent, want %d", sent, want)
	}
	buf := make([]byte, 1000)
	for i, client := range clients {
		for range rounds {
			for _, want := range parts(answers...) {
				if n, err := client.Read(buf); err != nil || !bytes.Equal(buf[:n], want) {
					t.Fatalf("from %s: %d bytes, %v, want %d", locals[i], n, err, len(want))
				}
			}
		}
	}
}

// Requests that arrived before reportLocal are answered from the address asked, too.
func TestEarlyRequestsAreAnsweredFromTheAddressAsked(t *testing.T) {
	pc := listen(t, "udp4", "0.0.0.0:0")
	client := dial(t, pc, []string{"127.0.50.9"})[0]
	if _, err := client.Write([]byte("early")); err != nil {
		t.Fatal(err)
	}
	s := echo()
	go s.Serve(pc)
	defer s.Close()
	if _, err := client.Read(make([]byte, 16)); err != nil {
		t.Error(err)
	}
}

// echo returns a server that answers with the request.
func echo() *Server {
	return &Server{
		Handler: func(_ time.Time, _ netip.Addr, _ netip.AddrPort, req []byte, dst [][]byte) ([][]byte, Outcome) {
			return Append(dst, req), Handled
		},
		MaxRequest: 64,
	}
}

// A server sends from the local address that its Handler got. It does not send from a
// socket that is bound to another address.
func TestSendLeavesFromTheLocalAddress(t *testing.T) {
	for _, tt := range anyAddress {
		t.Run(tt.network+tt.addr, func(t *testing.T) {
			type path struct {
				local netip.Addr
				peer  netip.AddrPort
			}
			paths := make(chan path, 1)
			s := &Server{
				Handler: func(_ time.Time, local netip.Addr, from netip.AddrPort, _ []byte, dst [][]byte) ([][]byte, Outcome) {
					paths <- path{local, from}
					return dst, Handled
				},
				MaxRequest: 64,
			}
			pc, other := listen(t, tt.network, tt.addr), listen(t, "udp4", "127.0.60.1:0")
			go s.Serve(pc)
			go s.Serve(other)
			defer s.Close()
			for i, client := range dial(t, pc, tt.locals) {
				if _, err := client.Write([]byte("request")); err != nil {
					t.Fatal(err)
				}
				p := <-paths
				if p.local.String() != tt.locals[i] {
					t.Errorf("arrived at %v, want %s", p.local, tt.locals[i])
				}
				if !s.Send(p.local, p.peer, []byte("later")) {
					t.Error("not sent")
				}
				buf := make([]byte, 16)
				if n, err := client.Read(buf); err != nil || string(buf[:n]) != "later" {
					t.Errorf("from %s: %q, %v", tt.locals[i], buf[:n], err)
				}
			}
		})
	}
}

// A server knows the address that its socket is bound to.
func TestBoundSocketsKnowTheirAddress(t *testing.T) {
	for _, addr := range []string{"127.0.50.9:0", "[::1]:0"} {
		pc := listen(t, "udp", addr)
		want := local(pc).Addr()
		for _, c := range []Conn{newServerConn(pc, 64), newSingleServer(pc, 64)} {
			client := dial(t, pc, []string{want.String()})[0]
			if _, err := client.Write([]byte("request")); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Read(); err != nil {
				t.Fatal(err)
			}
			if got := c.Local(0); got != want {
				t.Errorf("%T: arrived at %v, want %v", c, got, want)
			}
		}
	}
}

// A broadcast is answered from the address of the interface, on loopback 127.0.0.1. If it
// arrived before reportLocal, the kernel chooses the address.
func TestBroadcastIsAnswered(t *testing.T) {
	for _, tt := range anyAddress[:2] {
		pc := listen(t, tt.network, tt.addr)
		client := listen(t, "udp4", "127.0.0.1:0")
		client.SetReadDeadline(time.Now().Add(time.Minute))
		to := &net.UDPAddr{IP: net.IPv4(127, 255, 255, 255), Port: int(local(pc).Port())}
		locals := make(chan netip.Addr, 1)
		s := &Server{
			Handler: func(_ time.Time, local netip.Addr, _ netip.AddrPort, req []byte, dst [][]byte) ([][]byte, Outcome) {
				locals <- local
				return Append(Append(dst, req), req), Handled
			},
			MaxRequest: 64,
		}
		defer s.Close()
		for _, want := range []string{"127.255.255.255", "127.0.0.1"} { // the first is early
			if _, err := client.WriteTo([]byte("request"), to); err != nil {
				t.Skip(err)
			}
			if want != "127.0.0.1" {
				go s.Serve(pc)
			}
			if got := <-locals; got.String() != want {
				t.Errorf("%s: arrived at %v, want %s", tt.addr, got, want)
			}
			for range 2 {
				_, from, err := client.ReadFrom(make([]byte, 16))
				if err != nil || AddrPort(from).Addr() != netip.MustParseAddr("127.0.0.1") {
					t.Errorf("%s: answered from %v, %v", tt.addr, from, err)
				}
			}
		}
		if st := s.Stats(); st.Failed != 0 {
			t.Errorf("%s: stats %+v", tt.addr, st)
		}
	}
}

// Control messages of other types and malformed ones contain no local address. The
// addresses of broadcasts and groups are not addresses to send from.
func TestLocalAddrReadsOnlyItsMessages(t *testing.T) {
	info4 := func(source, to string) []byte {
		b, info := appendControl(nil, syscall.IPPROTO_IP, syscall.IP_PKTINFO, syscall.SizeofInet4Pktinfo)
		copy(info[4:], netip.MustParseAddr(source).AsSlice())
		copy(info[8:], netip.MustParseAddr(to).AsSlice())
		return b
	}
	source := func(addr string) []byte { return appendSource(nil, netip.MustParseAddr(addr)) }
	short, _ := appendControl(nil, syscall.IPPROTO_IP, syscall.IP_PKTINFO, 2)
	timestamp, _ := appendControl(nil, syscall.SOL_SOCKET, syscall.SO_TIMESTAMP, 16)
	for _, tt := range []struct {
		name    string
		control []byte
		want    string
	}{
		{"none", nil, "invalid IP"},
		{"IPv4", info4("192.0.2.1", "192.0.2.1"), "192.0.2.1"},
		{"broadcast", info4("192.0.2.1", "192.0.2.255"), "192.0.2.1"},
		{"early", info4("0.0.0.0", "192.0.2.1"), "192.0.2.1"},
		{"early broadcast", info4("0.0.0.0", "255.255.255.255"), "invalid IP"},
		{"early multicast", info4("0.0.0.0", "224.0.0.1"), "invalid IP"},
		{"IPv6", source("2001:db8::1"), "2001:db8::1"},
		{"IPv6 multicast", source("ff02::1"), "invalid IP"},
		{"IPv4 after IPv6", append(source("2001:db8::1"), info4("192.0.2.1", "192.0.2.1")...), "192.0.2.1"},
		{"after another type", append(timestamp, source("2001:db8::1")...), "2001:db8::1"},
		{"too short", short, "invalid IP"},
		{"another type", timestamp, "invalid IP"},
	} {
		if got := localAddr(tt.control); got.String() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, got, tt.want)
		}
		for n := range tt.control { // must not panic
			localAddr(tt.control[:n])
			localAddr(append(bytes.Repeat([]byte{0xff}, n), tt.control...))
			localAddr(append(make([]byte, n), tt.control...))
		}
	}
}

// Answers with control messages allocate no more than others.
func TestSourceAllocatesNothing(t *testing.T) {
	c := newServerConn(listen(t, "udp4", "0.0.0.0:0"), 8).(*batch)
	source, answer := netip.MustParseAddr("127.0.50.9"), [][]byte{{1}, {2}}
	if n := testing.AllocsPerRun(10, func() {
		c.queue(source, nil, answer)
		localAddr(c.out[0].OOB)
		c.queued = 0
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
