package udp

import "syscall"

// datagramErrors are the errors of reading or sending that concern one datagram:
// it is longer than the buffer, or its peer is not there. Package syscall names
// only one of them.
var datagramErrors = [...]error{
	syscall.Errno(10040), // WSAEMSGSIZE
	syscall.Errno(10052), // WSAENETRESET
	syscall.WSAECONNRESET,
	syscall.Errno(10051), // WSAENETUNREACH
	syscall.Errno(10065), // WSAEHOSTUNREACH
}

// transientErrors are temporary errors of sending: the system has no memory for the
// datagram, or reports what happened to an earlier one.
var transientErrors = [...]error{
	syscall.Errno(10055), // WSAENOBUFS
	syscall.WSAECONNRESET,
}
