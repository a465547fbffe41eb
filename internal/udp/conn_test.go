package udp

import (
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
)

// sockets returns two sockets on a loopback address.
func sockets(t testing.TB, addr string) (a, b net.PacketConn) {
	t.Helper()
	var pcs [2]net.PacketConn
	for i := range pcs {
		pc, err := net.ListenPacket("udp", addr)
		if err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { pc.Close() })
		pcs[i] = pc
	}
	return pcs[0], pcs[1]
}

func local(pc net.PacketConn) netip.AddrPort { return AddrPort(pc.LocalAddr()) }

// conns are the ways to read and send.
func conns() map[string]func(net.PacketConn, int) Conn {
	return map[string]func(net.PacketConn, int) Conn{
		"system": NewConn,
		"single": func(pc net.PacketConn, n int) Conn { return newSingle(pc, n) },
	}
}

func TestConnSendsAndReads(t *testing.T) {
	for name, newConn := range conns() {
		for _, addr := range []string{"127.0.0.1:0", "[::1]:0"} {
			t.Run(name+addr, func(t *testing.T) {
				pa, pb := sockets(t, addr)
				a, b := newConn(pa, 32), newConn(pb, 32)
				const n = 2*batchSize + 1
				sent := 0
				for i := range n {
					s, failed := a.Send(local(pb), fmt.Appendf(nil, "packet %d", i))
					sent += s
					if failed > 0 {
						t.Fatal("send failed")
					}
				}
				s, _ := a.Flush()
				sent += s
				if sent != n {
					t.Fatalf("%d sent, want %d", sent, n)
				}
				for got := 0; got < n; {
					k, err := b.Read()
					if err != nil {
						t.Fatal(err)
					}
					for i := range k {
						from, p, ok := b.Packet(i)
						if want := fmt.Sprintf("packet %d", got); string(p) != want || !ok || from != local(pa) {
							t.Fatalf("got %q from %v, want %q from %v", p, from, want, local(pa))
						}
						got++
					}
					if got < n && !b.Full() {
						t.Fatalf("not full with %d of %d read", got, n)
					}
				}
			})
		}
	}
}

func TestConnTellsWhatIsTooLong(t *testing.T) {
	for name, newConn := range conns() {
		t.Run(name, func(t *testing.T) {
			pa, pb := sockets(t, "127.0.0.1:0")
			b := newConn(pb, 8)
			for _, tt := range []struct {
				size int
				ok   bool
			}{{0, true}, {8, true}, {9, false}, {100, false}} {
				if _, err := pa.WriteTo(make([]byte, tt.size), pb.LocalAddr()); err != nil {
					t.Fatal(err)
				}
				if n, err := b.Read(); n != 1 || err != nil {
					t.Fatalf("read %d, %v", n, err)
				}
				if _, p, ok := b.Packet(0); ok != tt.ok || ok && len(p) != tt.size {
					t.Errorf("%d bytes: got %d, ok %v", tt.size, len(p), ok)
				}
			}
		})
	}
}

// A packet counts once, as sent or as failed.
func TestEachPacketCountsOnce(t *testing.T) {
	pa, pb := sockets(t, "127.0.0.1:0")
	a, b := newSingle(pa, 32), newSingle(pb, 32)
	type count struct{ Sent, Failed int }
	wantCount := func(name string, want count, sent, failed int) {
		t.Helper()
		if got := (count{sent, failed}); got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
	long := make([]byte, 1<<17) // longer than any datagram
	sent, failed := a.Send(local(pb), []byte("query"))
	wantCount("sent", count{Sent: 1}, sent, failed)
	sent, failed = a.Send(local(pb), long)
	wantCount("refused", count{Failed: 1}, sent, failed)
	if _, err := b.Read(); err != nil {
		t.Fatal(err)
	}
	sent, failed = b.Answer(0, [][]byte{[]byte("answer"), long, []byte("answer")})
	wantCount("answered", count{Sent: 2, Failed: 1}, sent, failed)
}

// A packet that the system refuses is reported, and the others are sent.
func TestConnGoesOnAfterARefusal(t *testing.T) {
	for name, newConn := range conns() {
		t.Run(name, func(t *testing.T) {
			pa, pb := sockets(t, "127.0.0.1:0")
			a, b := newConn(pa, 32), newConn(pb, 32)
			var refused []netip.AddrPort
			a.OnRefusal(func(to netip.AddrPort, err error) {
				if err == nil {
					t.Error("refused without a reason")
				}
				refused = append(refused, to)
			})
			sent, failed := 0, 0
			add := func(s, f int) {
				sent += s
				failed += f
			}
			add(a.Send(local(pb), []byte("first")))
			add(a.Send(local(pb), make([]byte, 1<<17))) // longer than any datagram
			add(a.Send(local(pb), []byte("last")))
			add(a.Flush())
			if sent != 2 || failed != 1 || !slices.Equal(refused, []netip.AddrPort{local(pb)}) {
				t.Errorf("%d sent, %d failed, want 2 and 1; refused to %v", sent, failed, refused)
			}
			var got [][]byte
			for len(got) < 2 {
				n, err := b.Read()
				if err != nil {
					t.Fatal(err)
				}
				for i := range n {
					_, p, _ := b.Packet(i)
					got = append(got, bytes.Clone(p))
				}
			}
			if string(got[0]) != "first" || string(got[1]) != "last" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestReceiveBufferIsWhatWasGranted(t *testing.T) {
	pc, _ := sockets(t, "127.0.0.1:0")
	if n := ReceiveBuffer(pc); n < 4096 {
		t.Errorf("%d bytes", n)
	}
}

func TestServeAnswersWithSeveralDatagrams(t *testing.T) {
	pa, pb := sockets(t, "127.0.0.1:0")
	s := &Server{
		Handler: func(_ time.Time, _ netip.Addr, _ netip.AddrPort, req []byte, dst [][]byte) ([][]byte, Outcome) {
			for range req[0] {
				dst = Next(dst)
				dst[len(dst)-1] = append(dst[len(dst)-1], req...)
			}
			return dst, Handled
		},
		MaxRequest: 8,
	}
	ended := make(chan error)
	go func() { ended <- s.Serve(pb) }()
	for _, req := range [][]byte{{3, 1}, {0}, {100}, make([]byte, 9), {2}} {
		if _, err := pa.WriteTo(req, pb.LocalAddr()); err != nil {
			t.Fatal(err)
		}
	}
	buf := make([]byte, 16)
	for range 3 + 100 + 2 {
		if _, _, err := pa.ReadFrom(buf); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != lobbywire.ErrClosed {
		t.Errorf("Serve returned %v", err)
	}
	if st := s.Stats(); st != (lobbywire.PacketStats{Received: 4, Sent: 105, Oversized: 1}) {
		t.Errorf("stats %+v", st)
	}
}
