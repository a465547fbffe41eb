package gamespy2net_test

import (
	"errors"
	"net/netip"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A message of a client is sent every second, ten times or until its server acknowledges it.
func TestMasterRepeatsMessages(t *testing.T) {
	const s = time.Second
	for _, tt := range []struct {
		name string
		from netip.AddrPort // of the acknowledgement
		ack  func(m qr2.ClientMessage) qr2.ClientMessageAck
		want int // messages
	}{
		{"acknowledged", gameServer, func(m qr2.ClientMessage) qr2.ClientMessageAck {
			return qr2.ClientMessageAck{Key: m.Key, ID: m.ID}
		}, 3},
		{"another server", otherServer, func(m qr2.ClientMessage) qr2.ClientMessageAck {
			return qr2.ClientMessageAck{Key: m.Key, ID: m.ID}
		}, 10},
		{"another key", gameServer, func(m qr2.ClientMessage) qr2.ClientMessageAck {
			return qr2.ClientMessageAck{ID: m.ID}
		}, 10},
		{"another message", gameServer, func(m qr2.ClientMessage) qr2.ClientMessageAck {
			return qr2.ClientMessageAck{Key: m.Key, ID: m.ID + 1}
		}, 10},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := newListMaster()
			enlist(t, m, gameServer, recorded(t, "heartbeat_first"))
			var packets nettest.Network
			server := listenOn(t, &packets, gameServer)
			pc := listenOn(t, &packets, masterAt)
			go m.Serve(pc)
			network := serveLists(t, m)
			synctest.Wait()
			request := requestFor()
			request.Options = sb2.OptionNoList
			c := ask(t, network, request)
			c.list()
			start := time.Now()
			if _, err := c.Write(wireBytes(t,
				sb2.MessageRequest{Addr: gameServer, Data: qr2.NATNegotiation(7)})); err != nil {
				t.Fatal(err)
			}
			var times []time.Duration
			var first []byte
			server.SetReadDeadline(start.Add(time.Minute))
			for b := make([]byte, 1000); ; {
				n, _, err := server.ReadFrom(b)
				if errors.Is(err, os.ErrDeadlineExceeded) {
					break
				}
				message, err := qr2.ParseClientMessage(b[:n])
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = slices.Clone(b[:n])
				}
				if string(first) != string(b[:n]) {
					t.Errorf("%s: sent %x and then %x", tt.name, first, b[:n])
				}
				times = append(times, time.Since(start))
				if len(times) == 3 {
					noAnswer(t, m, tt.from, wireBytes(t, tt.ack(message)))
				}
			}
			var want []time.Duration
			for i := range tt.want {
				want = append(want, time.Duration(i)*s)
			}
			if !slices.Equal(times, want) || m.Stats().Messages != 1 {
				t.Errorf("%s: sent at %v, %d counted", tt.name, times, m.Stats().Messages)
			}
		})
	}
}

// However many messages are not acknowledged, few are sent again.
func TestMasterLimitsRepeatedMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newListMaster()
		enlist(t, m, gameServer, recorded(t, "heartbeat_first"))
		var packets nettest.Network
		server := listenOn(t, &packets, gameServer)
		pc := listenOn(t, &packets, masterAt)
		go m.Serve(pc)
		network := serveLists(t, m)
		synctest.Wait()
		request := requestFor()
		request.Options = sb2.OptionNoList
		c := ask(t, network, request)
		c.list()
		const messages, repeated = 100, 16
		for range messages {
			if _, err := c.Write(wireBytes(t, sb2.MessageRequest{Addr: gameServer, Data: []byte("x")})); err != nil {
				t.Fatal(err)
			}
		}
		server.SetReadDeadline(time.Now().Add(time.Minute))
		n := 0
		for b := make([]byte, 1000); ; n++ {
			if _, _, err := server.ReadFrom(b); err != nil {
				break
			}
		}
		if want := messages + 9*repeated; n != want {
			t.Errorf("%d datagrams, want %d", n, want)
		}
	})
}
