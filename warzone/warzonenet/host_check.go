package warzonenet

import (
	"errors"
	"fmt"
	"net"

	"github.com/lobbywire/lobbywire/internal/stream"
)

// Errors of a Run that cannot succeed.
var (
	errNotSet = errors.New("warzonenet: Set has not been called: there is no game to announce")
	errNoAddr = errors.New("warzonenet: Addr is empty: it must be host:port of a lobby")
)

// checkHost returns the reason why a host of any protocol must not run. It does
// not check the form of an address that is for the caller's own Dial.
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
