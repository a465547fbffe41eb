// Package traffictest makes captured conversations for tests.
package traffictest

import (
	"errors"
	"io/fs"
	"net/netip"
	"os"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
	"github.com/lobbywire/lobbywire/internal/hexfile"
)

// Message is a message of a captured conversation, from a golden file.
type Message struct {
	Back bool // sent by the server
	File string
}

// Packets returns the packets of a conversation between a client and a port.
func Packets(t *testing.T, port uint16, stream bool, all ...Message) (packets [][]byte) {
	t.Helper()
	server := netip.AddrPortFrom(Host.Addr(), port)
	sent := map[bool]uint32{}
	for _, s := range all {
		data := Golden(t, s.File)
		from, to := Player, server
		if s.Back {
			from, to = server, Player
		}
		if !stream {
			packets = append(packets, capturetest.UDP(from, to, data))
			continue
		}
		if sent[s.Back] == 0 {
			packets = append(packets, capturetest.TCP(from, to, capturetest.Segment{Flags: capturetest.SYN}))
			sent[s.Back] = 1
		}
		packets = append(packets, capturetest.TCP(from, to, capturetest.Segment{Seq: sent[s.Back], Data: data}))
		sent[s.Back] += uint32(len(data))
	}
	return packets
}

var (
	Player  = netip.MustParseAddrPort("192.0.2.1:5000")
	Host    = netip.MustParseAddrPort("192.0.2.2:30000")
	Lobby   = netip.MustParseAddrPort("192.0.2.2:9990")
	Player6 = netip.MustParseAddrPort("[2001:db8::1]:5000")
	Host6   = netip.MustParseAddrPort("[2001:db8::2]:30000")
)

// Golden returns the bytes of a golden file, whose name begins at the root of the
// repository.
func Golden(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	for up := 0; errors.Is(err, fs.ErrNotExist) && up < 8; up++ {
		name = "../" + name
		text, err = os.ReadFile(name)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, b, err := hexfile.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Exchange returns the packets of a connection with a request and an answer.
func Exchange(client, server netip.AddrPort, request, answer string) [][]byte {
	return [][]byte{
		capturetest.TCP(client, server, capturetest.Segment{Seq: 99, Flags: capturetest.SYN}),
		capturetest.TCP(server, client, capturetest.Segment{Seq: 49, Ack: 100, Flags: capturetest.SYN}),
		capturetest.TCP(client, server, capturetest.Segment{Seq: 100, Ack: 50, Data: []byte(request)}),
		capturetest.TCP(server, client,
			capturetest.Segment{Seq: 50, Ack: 100 + uint32(len(request)), Data: []byte(answer)}),
	}
}

// Request returns the message of a client in a golden file.
func Request(file string) Message { return Message{File: file} }

// Answer returns the message of a server in a golden file.
func Answer(file string) Message { return Message{Back: true, File: file} }
