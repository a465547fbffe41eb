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
