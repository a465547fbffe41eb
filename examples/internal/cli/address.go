package cli

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

var (
	errAddress = errors.New("write HOST:PORT or [IPv6]:PORT")
	errZone    = errors.New("a zone is the name or the number of a network interface, as in [fe80::1%eth0]:PORT")
	errName    = errors.New("the host is not a name")
)

// SplitAddress splits the address of a host: HOST, HOST:PORT, an IPv6 address or [IPv6]:PORT.
// The port is "" if there is none, and not checked. The host is an IP address, which may have
// a zone, or a network such as 2001:db8::/64, without brackets, or a name in the form of DNS.
// It may be empty.
func SplitAddress(s string) (host, port string, err error) {
	host = s
	inner, isBracketed := strings.CutPrefix(s, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	switch {
	case isBracketed && closed:
		host = inner
	case !isIPv6(s) && strings.Contains(s, ":"):
		host, port, err = net.SplitHostPort(s)
		if port == "" {
			return "", "", errAddress
		}
	}
	if err != nil || strings.ContainsAny(host, "[]") || strings.Contains(host, ":") && !isIPv6(host) {
		return "", "", errAddress
	}
	if _, zone, _ := strings.Cut(host, "%"); strings.ContainsAny(zone, ":/%[] ") {
		return "", "", errZone
	}
	host, err = asciiName(host)
	return host, port, err
}

// isIPv6 reports whether s is an IPv6 address or network.
func isIPv6(s string) bool {
	_, err := netip.ParseAddr(s)
	_, notNetwork := netip.ParsePrefix(s)
	return strings.Contains(s, ":") && (err == nil || notNetwork == nil)
}

// asciiName returns a name in the form of DNS. A name in ASCII stays unchanged.
func asciiName(host string) (string, error) {
	if !strings.ContainsFunc(host, func(c rune) bool { return c > unicode.MaxASCII }) {
		return host, nil
	}
	name, err := idna.Lookup.ToASCII(host)
	if err != nil {
		return "", errName
	}
	return name, nil
}

// CheckListen returns an error unless addr is an address to listen on: host:port,
// [IPv6]:port or :port. The error explains the form.
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

// IsPort reports whether s is a port, that is, an address without its host.
func IsPort(s string) bool {
	_, err := strconv.ParseUint(s, 10, 16)
	return err == nil
}
