//go:build !windows

package udp

import "syscall"

// datagramErrors are the errors of reading or sending that concern one datagram:
// it is too long, or its peer is not there.
var datagramErrors = [...]error{
	syscall.EMSGSIZE,
	syscall.ECONNREFUSED,
	syscall.ECONNRESET,
	syscall.EHOSTUNREACH,
	syscall.ENETUNREACH,
}

// transientErrors are temporary errors of sending: the system has no memory for the
// datagram, or reports what happened to an earlier one. EPERM means that Linux's table of
// connections is full, or that a firewall forbids to send.
var transientErrors = [...]error{
	syscall.ENOBUFS,
	syscall.ENOMEM,
	syscall.EPERM,
	syscall.ECONNREFUSED,
}
