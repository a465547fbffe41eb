package ban

import (
	"errors"
	"fmt"
	"net"
	"syscall"

	"golang.org/x/net/bpf"
	"golang.org/x/net/ipv4"
)

// PacketConn returns pc without the datagrams of those who are banned. It
// stays a *net.UDPConn, which is what servers read in batches.
func (g *Gate) PacketConn(pc net.PacketConn) (net.PacketConn, error) {
	f := &kernelFilter{pc: ipv4.NewPacketConn(pc)}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.filters = append(g.filters, f)
	return pc, f.set(g.current)
}

// A kernelFilter is a program of a socket that the kernel runs for each
// datagram. It does not depend on the family, in spite of the name.
type kernelFilter struct{ pc *ipv4.PacketConn }

// maxProgram is how many instructions the kernel takes. It may have less memory
// for them, but hardly less than for minProgram.
const (
	maxProgram = 4096
	minProgram = 256
)

func (f *kernelFilter) set(prefixes []Prefix) error {
	for size := maxProgram; ; size /= 2 {
		instructions, left := program(prefixes, size)
		raw, err := bpf.Assemble(instructions)
		if err != nil {
			return err
		}
		switch err := f.pc.SetBPF(raw); {
		case errors.Is(err, syscall.ENOMEM) && size > minProgram:
			continue
		case err != nil:
			return fmt.Errorf("ban: no filter on the socket: %w", err)
		case left > 0:
			return fmt.Errorf("ban: the kernel takes no more prefixes for a socket, %d are left out", left)
		}
		return nil
	}
}
