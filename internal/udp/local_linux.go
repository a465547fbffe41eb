package udp

import (
	"encoding/binary"
	"net/netip"
	"syscall"
)

// Package x/net allocates memory for each control message, and does not report from which
// address to answer a broadcast. So the functions below read and write the bytes: headers
// as syscall.Cmsghdr, and the structures of ip(7) and ipv6(7).

const (
	controlHeader = syscall.SizeofCmsghdr
	maxControl    = 64 // bytes, enough for the control messages of a datagram that is sent
)

// localAddr returns the local address in the control messages of a datagram, or an address
// that is not valid. For a broadcast it is the address of the network interface.
func localAddr(control []byte) netip.Addr {
	if info := findControl(control, syscall.IPPROTO_IP, syscall.IP_PKTINFO, syscall.SizeofInet4Pktinfo); info != nil {
		if addr := netip.AddrFrom4([4]byte(info[4:])); !addr.IsUnspecified() {
			return addr
		}
		// The datagram arrived before reportLocal.
		return unicast(netip.AddrFrom4([4]byte(info[8:])))
	}
	if info := findControl(control, syscall.IPPROTO_IPV6, syscall.IPV6_PKTINFO, syscall.SizeofInet6Pktinfo); info != nil {
		return unicast(netip.AddrFrom16([16]byte(info)).Unmap())
	}
	return netip.Addr{}
}

// appendSource appends the control message that makes a datagram leave from a local
// address.
func appendSource(b []byte, local netip.Addr) []byte {
	if local.Is4() {
		b, info := appendControl(b, syscall.IPPROTO_IP, syscall.IP_PKTINFO, syscall.SizeofInet4Pktinfo)
		addr := local.As4()
		copy(info[4:], addr[:])
		return b
	}
	b, info := appendControl(b, syscall.IPPROTO_IPV6, syscall.IPV6_PKTINFO, syscall.SizeofInet6Pktinfo)
	addr := local.As16()
	copy(info, addr[:])
	return b
}

// findControl returns the data of the first control message of a type, or nil if there is
// none or it is shorter than least.
func findControl(control []byte, level, typ uint32, least int) []byte {
	for len(control) >= controlHeader {
		size := controlSize(control)
		if size < controlHeader || size > len(control) {
			return nil
		}
		if binary.NativeEndian.Uint32(control[controlHeader-8:]) == level &&
			binary.NativeEndian.Uint32(control[controlHeader-4:]) == typ {
			if size < controlHeader+least {
				return nil
			}
			return control[controlHeader:size]
		}
		control = control[min(syscall.CmsgSpace(size-controlHeader), len(control)):]
	}
	return nil
}

// appendControl appends a control message, and also returns its data, which is zero.
func appendControl(b []byte, level, typ uint32, size int) (all, data []byte) {
	all = append(b, make([]byte, syscall.CmsgSpace(size))...)
	m := all[len(b):]
	if controlHeader == 16 {
		binary.NativeEndian.PutUint64(m, uint64(syscall.CmsgLen(size)))
	} else {
		binary.NativeEndian.PutUint32(m, uint32(syscall.CmsgLen(size)))
	}
	binary.NativeEndian.PutUint32(m[controlHeader-8:], level)
	binary.NativeEndian.PutUint32(m[controlHeader-4:], typ)
	return all, m[controlHeader:]
}

// controlSize returns the size of a control message, with its header.
func controlSize(m []byte) int {
	if controlHeader == 16 {
		return int(binary.NativeEndian.Uint64(m))
	}
	return int(binary.NativeEndian.Uint32(m))
}
