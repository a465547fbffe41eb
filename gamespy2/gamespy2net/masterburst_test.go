package gamespy2net_test

import (
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

// 200 servers that send what the SDK's sample server sends, each datagram once, are listed
// within 5 s although they start at one moment: as many of one address as MaxPerAddress
// allows by default, 72 of one prefix, and the others anywhere.
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
		c.SetDeadline(start.Add(5 * time.Second))
		running.Go(func() {
			if err := registerOnce(t, c); err != nil {
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

// registerOnce does what the SDK does until the server is listed, and sends nothing twice.
func registerOnce(t *testing.T, c *net.UDPConn) error {
	answered := false
	for _, request := range [][]byte{recorded(t, "available"), recorded(t, "heartbeat_first")} {
		if _, err := c.Write(request); err != nil {
			return err
		}
	}
	for b := make([]byte, 1500); ; {
		n, err := c.Read(b)
		if err != nil {
			return err
		}
		var answer []byte
		if q, err := gamespy2.ParseRequest(b[:n]); err == nil && q.Type == gamespy2.TypeQuery {
			answered = true
			answer = answerToQuery(t, b[:n])
		} else if m, err := qr2.ParseToServer(b[:n]); err == nil {
			switch m := m.(type) {
			case qr2.Challenge:
				answer = answerTo(t, m, gmtest.Key)
			case qr2.KeepaliveAnswer:
				return nil // the master has handled all that was sent before
			}
		}
		if answer == nil {
			continue
		}
		if _, err := c.Write(answer); err != nil {
			return err
		}
		if answered {
			if _, err := c.Write(wireBytes(t, qr2.Keepalive{Key: instance})); err != nil {
				return err
			}
		}
	}
}
