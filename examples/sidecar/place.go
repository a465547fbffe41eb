package main

import (
	"fmt"
	"net"
	"net/netip"
	"strings"

	"github.com/lobbywire/lobbywire/examples/internal/files"
)

// unixPrefix starts the place of a unix socket.
const unixPrefix = "unix:"

// listenHTTP listens at host:port or unix:PATH. Without a token it listens on loopback
// and unix sockets only.
func listenHTTP(place string, isFeed bool, token string) (net.Listener, error) {
	if path, isUnix := strings.CutPrefix(place, unixPrefix); isUnix {
		return files.Listen(path)
	}
	l, err := net.Listen("tcp", place)
	if err != nil {
		return nil, err
	}
	at, err := netip.ParseAddrPort(l.Addr().String())
	if isFeed && token == "" && (err != nil || !at.Addr().Unmap().IsLoopback()) {
		l.Close()
		return nil, fmt.Errorf("-state %s: others could report a state there; "+
			"listen at 127.0.0.1, or set a token with -token-file or $%s", place, tokenVariable)
	}
	return l, nil
}

// isUnix reports whether a place is unix:PATH.
func isUnix(place string) bool { return strings.HasPrefix(place, unixPrefix) }

// isAddress reports whether a place is host:port, although the port may be too large.
func isAddress(place string) bool {
	_, port, err := net.SplitHostPort(place)
	return err == nil && port != "" && strings.Trim(port, "0123456789") == ""
}
