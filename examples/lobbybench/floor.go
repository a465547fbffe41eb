package main

import (
	"encoding/json"
	"io"
	"net"
	"net/netip"
	"sync/atomic"

	"github.com/lobbywire/lobbywire/examples/internal/bench"
	"github.com/lobbywire/lobbywire/warzone"
)

// floorChild is the floor: it answers every connection that has sent a command with
// the same bytes, which its first question gives.
func floorChild(in *json.Decoder, out *json.Encoder) error {
	var reply []byte
	if err := in.Decode(&reply); err != nil {
		return err
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	var served atomic.Uint64
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				request, _ := warzone.ListRequest{}.AppendBinary(nil)
				if _, err := io.ReadFull(c, request); err != nil {
					return
				}
				if _, err := c.Write(reply); err == nil {
					served.Add(1)
				}
			}()
		}
	}()
	return answerUsage(in, out, l.Addr())
}

// answerUsage sends the address of a server, and then answers each question with the
// usage of this process.
func answerUsage(in *json.Decoder, out *json.Encoder, addr net.Addr) error {
	if err := out.Encode(netip.MustParseAddrPort(addr.String())); err != nil {
		return err
	}
	return bench.AnswerUsage(in, out)
}
