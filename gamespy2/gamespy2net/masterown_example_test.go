package gamespy2net_test

import (
	"context"
	"fmt"
	"iter"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// A program that knows servers by other means than heartbeats passes them to the Master as
// another node does: as entries of a Store. The Master serves lists of them, and no other socket.
func ExampleMaster_ServeLists_ownServers() {
	known := func(yield func(netip.AddrPort, []gamespy2.KeyValue) bool) {
		yield(netip.MustParseAddrPort("192.0.2.1:10481"), []gamespy2.KeyValue{{Key: "hostname", Value: "Duel"}})
	}
	master := gamespy2net.Master{
		Games: []gamespy2net.Game{{Name: "swat4", Key: "tG3j8c"}},
		Store: ownServers{"swat4", known},
	}
	defer master.Close()
	socket, err := net.Listen("tcp", "127.0.0.1:0") // usually port 28910
	if err != nil {
		fmt.Println(err)
		return
	}
	go master.ServeLists(socket)

	var client gamespy2net.Client
	listing, err := client.List(context.Background(), socket.Addr().String(), gamespy2net.ListQuery{
		Game: "swat4", Key: "tG3j8c", Fields: sb2.MakeFieldList("hostname"), Options: sb2.OptionAllFields,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, server := range listing.Servers {
		fmt.Println(server.IP, server.View().Name)
	}
	// Output: 192.0.2.1 Duel
}

// ownServers is a Store of one node, with the servers that a program knows and their keys. Its
// entries expire like others, Expiry after their Seen, so a program with changes calls put for all
// servers every minute, and remove for those that it no longer lists.
type ownServers struct {
	game  string
	known iter.Seq2[netip.AddrPort, []gamespy2.KeyValue]
}

func (s ownServers) Watch(put func(gamespy2net.Entry), _ func(netip.AddrPort)) (stop func()) {
	for addr, keys := range s.known {
		m := qr2.Heartbeat{Info: append(qr2.Identity{GameName: s.game}.AppendTo(nil), keys...)}
		b, err := m.AppendBinary(nil)
		if err != nil {
			continue // a key or value contains a zero byte, or there are too many
		}
		put(gamespy2net.Entry{Game: s.game, Addr: addr, Seen: time.Now(), Heartbeat: string(b)})
	}
	return func() {}
}

func (ownServers) Put(gamespy2net.Entry) {}
func (ownServers) Remove(netip.AddrPort) {}
func (ownServers) Expire(netip.AddrPort) {}
