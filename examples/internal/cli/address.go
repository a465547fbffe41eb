package cli

import (
	"fmt"
	"net"
	"strconv"
)

// CheckListen returns an error, which says how to write the address, unless addr is one to
// listen on: host:port, [IPv6]:port or :port.
func CheckListen(addr string) error {
	_, port, err := net.SplitHostPort(addr)
	switch {
	case IsPort(addr):
		return fmt.Errorf("%q is a port: write :%s", addr, addr)
	case err != nil:
		return fmt.Errorf("%q: write host:port, [IPv6]:port or :port", addr)
	case !IsPort(port):
		return fmt.Errorf("%q: the port must be a number from 0 to 65535", addr)
	}
	return nil
}

// IsPort reports whether s is a port, so an address without its host.
func IsPort(s string) bool {
	_, err := strconv.ParseUint(s, 10, 16)
	return err == nil
}
