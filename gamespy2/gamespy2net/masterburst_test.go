package gamespy2net_test

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

// 200 servers that send what the SDK's sample server sends are listed although they start at one
// moment: as many of one address as MaxPerAddress allows by default, 72 of one prefix, and the
// others anywhere.
func TestMasterListsABurstOverSockets(t *testing.T) {
	const servers, ofAddress, ofPrefix = 200, 64, 72
	pc, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	m := &gamespy2net.Master{Games: []gamespy2net.Game{gmtest}}
	ended := make(chan error, 1)
	go func() { ended <- m.Serve(pc) }()
	conns := make([]*net.UDPConn, servers)
	for i := range conns {
		ip := [4]byte{127, byte(i), 0, 1}
		switch {
		case i < ofAddress:
			ip = [4]byte{127, 0, 1, 1}
		case i < ofAddress+ofPrefix:
			ip = [4]byte{127, 0, 2, byte(i)}
		}
		local := net.UDPAddrFromAddrPort(netip.AddrPortFrom(netip.AddrFrom4(ip), 0))
		conns[i], err = net.DialUDP("udp4", local, pc.LocalAddr().(*net.UDPAddr))
		if err != nil {
			t.Skip(err) // not all systems have all of 127.0.0.0/8
		}
		defer conns[i].Close()
	}
	start := time.Now()
	var running sync.WaitGroup
	for _, c := range conns {
		running.Go(func() {
			if err := registerInBurst(t, c, start.Add(time.Minute)); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	t.Logf("%v", time.Since(start))
	if st := m.Stats(); st.Listed != servers || st.Limited != 0 {
		t.Errorf("%+v", st)
	}
	m.Close()
	<-ended
}

// registerInBurst does what the SDK does until the server is listed. What it has sent last it sends
// again only if nothing comes back for a second: the system drops a part of the burst if the
// master's turn comes late.
func registerInBurst(t *testing.T, c *net.UDPConn, end time.Time) error {
	const patience = time.Second
	answered := false
	last := [][]byte{recorded(t, "available"), recorded(t, "heartbeat_first")}
	send := true
	for b := make([]byte, 1500); ; {
		if send {
			for _, datagram := range last {
				if _, err := c.Write(datagram); err != nil {
					return err
				}
			}
		}
		c.SetReadDeadline(time.Now().Add(patience))
		n, err := c.Read(b)
		if send = errors.Is(err, os.ErrDeadlineExceeded) && time.Now().Before(end); send {
			continue
		}
		if err != nil {
			return err
		}
		if q, err := gamespy2.ParseRequest(b[:n]); err == nil && q.Type == gamespy2.TypeQuery {
			answered, send = true, true
			last = [][]byte{answerToQuery(t, b[:n])}
		} else if m, err := qr2.ParseToServer(b[:n]); err == nil {
			switch m := m.(type) {
			case qr2.Challenge:
				send = true
				last = [][]byte{answerTo(t, m, gmtest.Key)}
			case qr2.KeepaliveAnswer:
				return nil // the master has handled all that was sent before
			}
		}
		if send && answered {
			last = append(last, wireBytes(t, qr2.Keepalive{Key: instance}))
		}
	}
}
