package main

import (
	"fmt"
	"net"

	"golang.org/x/net/ipv4"
)

// A yardstick is a server that implements no protocol: it reads a batch of datagrams, looks
// up their answers by length, and writes a batch.
type yardstick string

const (
	echo      yardstick = "echo"      // by ReadBatch and WriteBatch
	segmented yardstick = "segmented" // the same, with one message for an answer of several datagrams of one size
	raw       yardstick = "raw"       // as echo, by recvmmsg(2) and sendmmsg(2)
)

// yardsticksOf returns the yardsticks of a server with split or single answers.
func yardsticksOf(split bool) []yardstick {
	if split {
		return []yardstick{echo, segmented}
	}
	return []yardstick{echo, raw}
}

// serve serves in the background.
func (y yardstick) serve(conn *net.UDPConn, answers map[int][][]byte) error {
	switch y {
	case echo:
		go serveEcho(conn, templates(answers, datagrams))
	case segmented:
		go serveEcho(conn, templates(answers, segments))
	case raw:
		go serveRaw(conn, templates(answers, datagrams))
	default:
		return fmt.Errorf("no yardstick %q", y)
	}
	return nil
}

const (
	batchSize     = 64
	maxRequest    = 128
	receiveBuffer = 4 << 20
)

// templates returns the messages that answer requests, by their length, without addresses.
func templates(answers map[int][][]byte,
	cut func(answer [][]byte) []ipv4.Message) (byLength [maxRequest + 1][]ipv4.Message) {
	for n, answer := range answers {
		byLength[n] = cut(answer)
	}
	return byLength
}

// datagrams returns a message for each datagram.
func datagrams(answer [][]byte) []ipv4.Message {
	ms := make([]ipv4.Message, len(answer))
	for i := range ms {
		ms[i].Buffers = answer[i : i+1]
	}
	return ms
}

func serveEcho(conn *net.UDPConn, byLength [maxRequest + 1][]ipv4.Message) error {
	pc := ipv4.NewPacketConn(conn)
	in, out := messages(batchSize, maxRequest), make([]ipv4.Message, batchSize)
	for {
		n, err := pc.ReadBatch(in, 0)
		if err != nil {
			return err
		}
		ready := 0
		for i := range n {
			for _, m := range byLength[in[i].N] {
				if ready == len(out) {
					if err := writeAll(pc, out); err != nil {
						return err
					}
					ready = 0
				}
				out[ready] = m
				out[ready].Addr = in[i].Addr
				ready++
			}
		}
		if err := writeAll(pc, out[:ready]); err != nil {
			return err
		}
	}
}

// messages returns n messages with room for size bytes each.
func messages(n, size int) []ipv4.Message {
	ms := make([]ipv4.Message, n)
	for i := range ms {
		ms[i].Buffers = [][]byte{make([]byte, size)}
	}
	return ms
}

// writeAll writes messages in as few system calls as possible.
func writeAll(pc *ipv4.PacketConn, ms []ipv4.Message) error {
	for len(ms) > 0 {
		n, err := pc.WriteBatch(ms, 0)
		if err != nil {
			return err
		}
		ms = ms[n:]
	}
	return nil
}
