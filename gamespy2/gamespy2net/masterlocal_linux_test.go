package gamespy2net_test

import (
	"net"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// All datagrams of a master leave from the address that the server sends to: answers, queries
// and messages of clients, also repeated ones.
func TestMasterSendsFromTheAddressOfTheHeartbeat(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"0.0.0.0:0", "[::]:0"} {
		t.Run(addr, func(t *testing.T) {
			t.Parallel()
			pc, err := net.ListenPacket("udp", addr)
			if err != nil {
				t.Skip(err)
			}
			m := newListMaster()
			go m.Serve(pc)
			defer m.Close()
			port := pc.LocalAddr().(*net.UDPAddr).Port
			// A connected socket receives only what comes from the address that it sends to.
			server, err := net.Dial("udp4", net.JoinHostPort("127.0.50.9", strconv.Itoa(port)))
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			server.SetReadDeadline(time.Now().Add(time.Minute))
			send := func(b []byte) {
				if _, err := server.Write(b); err != nil {
					t.Fatal(err)
				}
			}
			// receive returns the next datagram that is a message of a type.
			receive := func(isOne func(b []byte) error) []byte {
				t.Helper()
				b := make([]byte, 2000)
				for {
					n, err := server.Read(b)
					if err != nil {
						t.Fatal(err)
					}
					if isOne(b[:n]) == nil {
						return b[:n]
					}
				}
			}
			isChallenge := func(b []byte) error { _, err := qr2.ParseChallenge(b); return err }
			isRegistered := func(b []byte) error { _, err := qr2.ParseRegistered(b); return err }
			isQuery := func(b []byte) error { _, err := gamespy2.ParseRequest(b); return err }
			isKeepalive := func(b []byte) error { _, err := qr2.ParseKeepaliveAnswer(b); return err }
			isMessage := func(b []byte) error { _, err := qr2.ParseClientMessage(b); return err }
			send(beat{key: instance, pairs: []string{"hostname", strings.Repeat("A", 200)}}.wire(t))
			receive(isChallenge)
			send(answerTo(t, challengeIn(t, [][]byte{receive(isChallenge)}), gmtest.Key)) // the repeated one
			receive(isRegistered)
			receive(isQuery)
			receive(isQuery)
			send(answerToQuery(t, receive(isQuery))) // the repeated one
			send(wireBytes(t, qr2.Keepalive{Key: instance}))
			receive(isKeepalive)

			request := requestFor()
			request.Options = sb2.OptionNoList
			c := ask(t, serveLists(t, m), request)
			c.list()
			at := server.LocalAddr().(*net.UDPAddr).AddrPort()
			at = netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
			if _, err := c.Write(wireBytes(t, sb2.MessageRequest{Addr: at, Data: qr2.NATNegotiation(7)})); err != nil {
				t.Fatal(err)
			}
			receive(isMessage)
			receive(isMessage) // the repeated one
		})
	}
}
