package masters

import (
	"errors"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

func TestMain(m *testing.M) {
	suite.Waits()
	m.Run()
}

// patience is how long a master may take to answer on a busy machine.
const patience = 20 * time.Second

// listenMaster opens the two sockets of a master on loopback.
func listenMaster(t *testing.T) (socket net.PacketConn, lists net.Listener) {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	lists, err = net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return socket, lists
}

// hasty does not wait between requests for lists.
type hasty struct{ check.MasterNetwork }

func (h hasty) Wait(d time.Duration) {
	if d != listPace {
		h.MasterNetwork.Wait(d)
	}
}

// checkMaster runs the cases against a master over the network.
func checkMaster(t *testing.T, cases *check.Suite, socket, lists net.Addr, timeout time.Duration) check.Report {
	t.Helper()
	at := netip.MustParseAddrPort(socket.String())
	network := check.NewMasterNetwork(t.Context(), cases, at, netip.MustParseAddrPort(lists.String()), timeout)
	defer network.Close()
	return cases.Run(t.Context(), hasty{network}, check.Options{
		Robust: true, Seed: 1, Skip: suite.Pick([]string{"gameagent-master/6.11"}, nil), // takes 8 s
	})
}

// Our masters pass all cases that are not slow, and the servers of the cases are gone at the
// end.
func TestOurMastersPass(t *testing.T) {
	plenty := lobbywire.Rates{PerSource: 1e6, PerPrefix: 1e6, Global: 1e6}
	gamespy2 := &gamespy2net.Master{
		Games:  []gamespy2net.Game{{Name: toyGame().Name, Key: toyGame().Key}},
		Limits: gamespy2net.MasterLimits{Rates: plenty, Lists: plenty},
	}
	gameagent := &gamespy1net.Master{Limits: gamespy1net.MasterLimits{Rates: plenty, Lists: plenty}}
	for protocol, m := range map[string]interface {
		Serve(socket net.PacketConn) error
		ServeLists(l net.Listener) error
		Close() error
	}{"gamespy2": gamespy2, "gameagent": gameagent} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			socket, lists := listenMaster(t)
			done := make(chan error, 2)
			go func() { done <- m.Serve(socket) }()
			go func() { done <- m.ServeLists(lists) }()
			defer func() {
				m.Close()
				<-done
				<-done
			}()
			game := toyGame()
			if protocol == "gameagent" {
				game = Game{}
			}
			for _, f := range checkMaster(t, Suite(protocol, game), socket.LocalAddr(), lists.Addr(), patience).Findings {
				if f.Result != check.Pass {
					t.Errorf("%s %s: %s: %s", f.ID, f.Sentence, f.Result, f.Why())
				}
			}
			if protocol == "gamespy2" {
				roundTrip(t, socket.LocalAddr())
				if n := gamespy2.Stats().Listed; n != 0 {
					t.Errorf("%d servers are still listed", n)
				}
			}
		})
	}
}

// roundTrip waits until a master answers a client, and so has read what came before.
func roundTrip(t *testing.T, master net.Addr) {
	t.Helper()
	c, err := net.Dial("udp", master.String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Write(check.MustBinary(qr2.AvailabilityRequest{GameName: toyGame().Name})); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Read(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
}

// A hostile master answers each datagram with many that control a terminal, and lists never
// end. The run ends, and keeps and shows little of it.
func TestRunAgainstAHostileMasterEnds(t *testing.T) {
	t.Parallel()
	const evil = "\x1b]0;evil\x07\x00\xff"
	for _, protocol := range []string{"gamespy2", "gameagent"} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			socket, lists := listenMaster(t)
			defer socket.Close()
			defer lists.Close()
			go func() {
				buf := make([]byte, 2048)
				for {
					n, from, err := socket.ReadFrom(buf)
					if err != nil {
						return
					}
					for _, start := range []string{
						"\xfe\xfd\x01", "\xfe\xfd\x04", "s", "\x01", "\xfe\xfd\x00", `\status\`, `\secure\`,
					} {
						b := start + string(buf[min(1, n):min(n, 5)]) + strings.Repeat(evil, 20)
						for range suite.Pick(10, 100) {
							_, _ = socket.WriteTo([]byte(b), from) // the check may be gone, here and below
						}
					}
				}
			}()
			go func() {
				for {
					c, err := lists.Accept()
					if err != nil {
						return
					}
					go func() {
						defer c.Close()
						for err := error(nil); err == nil; {
							_, err = c.Write([]byte(`\basic\\secure\ABCDEF` + strings.Repeat(evil, 4096)))
						}
					}()
				}
			}()
			cases := Suite(protocol, toyGame())
			r := checkMaster(t, cases, socket.LocalAddr(), lists.Addr(), 50*time.Millisecond)
			if r.Count(check.Fail, check.Must) == 0 {
				t.Error("no case failed")
			}
			var text, document, junit strings.Builder
			d := check.NewDocument(cases)
			for _, f := range r.Findings {
				d.Add(f)
				if err := d.WriteCase(&text); err != nil {
					t.Fatal(err)
				}
			}
			d.Complete(r)
			if err := errors.Join(d.WriteEnd(&text), d.WriteJSON(&document), d.WriteJUnit(&junit, nil)); err != nil {
				t.Fatal(err)
			}
			for _, out := range []string{text.String(), document.String(), junit.String()} {
				const most = 4 << 20
				if strings.ContainsAny(out, "\x1b\x07\x00") || len(out) > most {
					t.Errorf("%d bytes, or characters that control a terminal", len(out))
				}
			}
		})
	}
}
