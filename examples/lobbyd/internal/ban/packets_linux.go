package ban

import (
	"errors"
	"fmt"
	"net"
	"syscall"

	"golang.org/x/net/bpf"
	"golang.org/x/net/ipv4"
)

// PacketConn returns pc without the datagrams of banned addresses. The result is
// still a *net.UDPConn, so servers can read it in batches.
func (g *Gate) PacketConn(pc net.PacketConn) (net.PacketConn, error) {
	f := &kernelFilter{pc: ipv4.NewPacketConn(pc)}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.filters = append(g.filters, f)
	return pc, f.set(g.current)
}

// A kernelFilter is a program that the kernel runs for each datagram of a socket.
// Despite the name, it is for IPv6 too.
type kernelFilter struct{ pc *ipv4.PacketConn }

// maxProgram is the maximum number of instructions of a program. The kernel may lack
// memory for maxProgram, but hardly for minProgram.
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
			return fmt.Errorf("ban: the kernel accepts no more prefixes per socket; %d are omitted", left)
		}
		return nil
	}
}
