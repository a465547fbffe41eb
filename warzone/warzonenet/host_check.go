package warzonenet

import (
	"errors"
	"fmt"
	"net"

	"github.com/lobbywire/lobbywire/internal/stream"
)

// Errors of a Run that could never succeed.
var (
	errNotSet = errors.New("warzonenet: Set has not been called: there is no game to announce")
	errNoAddr = errors.New("warzonenet: Addr is empty: it must be host:port of a lobby")
)

// checkHost returns why a host of any protocol must not run. It does not judge the
// form of an address that a Dial of the caller's own connects to.
func checkHost(isSet bool, addr string, dial stream.DialFunc) error {
	switch {
	case !isSet:
		return errNotSet
	case addr == "":
		return errNoAddr
	case dial != nil:
		return nil
	}
	_, port, err := net.SplitHostPort(addr)
	if err == nil && port == "" {
		err = &net.AddrError{Err: "missing port in address", Addr: addr}
	}
	if err != nil {
		return fmt.Errorf("warzonenet: Addr must be host:port of a lobby: %w", err)
	}
	return nil
}
