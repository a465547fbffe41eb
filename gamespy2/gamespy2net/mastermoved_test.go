package gamespy2net_test

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A server whose instance registers from another port of its address, as behind a NAT that
// has restarted, is removed at once unless it answers: another server may have the same key.
func TestMasterRemovesServersThatMove(t *testing.T) {
	moved := netip.AddrPortFrom(otherServer.Addr(), 7000)
	other := gamespy2net.Game{Name: "other", Key: "abcdef"}
	for _, tt := range []struct {
		name  string
		beat  beat
		at    netip.AddrPort // the new address
		old   string         // what the old one does
		keeps bool
	}{
		{"silent", beat{key: instance}, moved, "", false},
		{"answers", beat{key: instance}, moved, "answers", true},
		{"answers the last query", beat{key: instance}, moved, "late", true},
		{"sends a keepalive", beat{key: instance}, moved, "keepalive", true},
		{"another key", beat{key: [4]byte{9}}, moved, "", true},
		{"another game", beat{key: instance, game: "other"}, moved, "", true},
		{"another address", beat{key: instance}, gameServer, "", true},
	} {
		synctest.Test(t, func(t *testing.T) {
			network := nettest.Network{Route: func(p nettest.Packet) []nettest.Packet {
				p.Delay = time.Millisecond
				return []nettest.Packet{p}
			}}
			m := newMaster()
			m.Games = append(m.Games, other)
			defer m.Close()
			go m.Serve(listenOn(t, &network, masterAt))
			enlist(t, m, otherServer, beat{key: instance}.wire(t))
			old := listenOn(t, &network, otherServer)
			newer := listenOn(t, &network, tt.at)
			time.Sleep(20 * time.Second)
			key := gmtest.Key
			if tt.beat.game != "" {
				key = other.Key
			}
			go func() {
				send(t, newer, tt.beat.wire(t))
				receive(t, newer, 100*time.Second, func(packet []byte) []byte {
					m, err := qr2.ParseToServer(packet)
					if err != nil {
						t.Error(err)
					}
					switch m := m.(type) {
					case qr2.Challenge:
						return answerTo(t, m, key)
					case qr2.Registered:
						return nil
					}
					return answerToQuery(t, packet)
				})
			}()
			asked := 0
			queries := receive(t, old, 10*time.Second, func(packet []byte) []byte {
				asked++
				switch {
				case tt.old == "answers", tt.old == "late" && asked > 4:
					return answerToQuery(t, packet)
				case tt.old == "keepalive" && asked == 1:
					return wireBytes(t, qr2.Keepalive{Key: instance})
				}
				return nil
			})
			if tt.keeps {
				wantListed(t, m, otherServer, tt.at)
			} else {
				wantListed(t, m, tt.at)
			}
			if len(queries) > 8 {
				t.Errorf("%s: %d datagrams to the old address", tt.name, len(queries))
			}
			time.Sleep(100 * time.Second)
			synctest.Wait()
		})
	}
}

// A server that moves again and again, also while its old address is checked, has one entry.
func TestMasterFollowsServersThatMoveOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var network nettest.Network
		m := newMaster()
		defer m.Close()
		go m.Serve(listenOn(t, &network, masterAt))
		synctest.Wait()
		at := func(i int) netip.AddrPort { return netip.AddrPortFrom(otherServer.Addr(), uint16(7000+i)) }
		for i := range 20 {
			enlist(t, m, at(i), beat{key: instance}.wire(t))
			time.Sleep(time.Duration(i%5) * time.Second)
		}
		time.Sleep(10 * time.Second)
		wantListed(t, m, at(19))
		noAnswer(t, m, at(19), beat{key: instance, state: qr2.StateShutdown}.wire(t))
		wantListed(t, m)
	})
}

// A Master without sockets cannot query a server that may have moved, and keeps it.
func TestMasterWithoutSocketsKeepsServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaster()
		defer m.Close()
		moved := netip.AddrPortFrom(otherServer.Addr(), 7000)
		enlist(t, m, otherServer, beat{key: instance}.wire(t))
		enlist(t, m, moved, beat{key: instance}.wire(t))
		time.Sleep(time.Minute)
		wantListed(t, m, otherServer, moved)
	})
}
