package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"path/filepath"
	"slices"
	"strings"
)

// noSocket is the value of -admin for no unix socket.
const noSocket = "off"

// socketFile is the name of the socket for operators in the data directory.
const socketFile = "admin.sock"

// adminPath returns the path of the socket for operators, or "" for none. By default, it is in the
// data directory.
func (f *fronts) adminPath() string {
	switch {
	case f.config.Admin.Socket == noSocket:
		return ""
	case f.config.Admin.Socket == "" && f.lists.data != nil:
		return f.lists.data.Path(socketFile)
	}
	return f.config.Admin.Socket
}

// mayHaveSocket reports whether lobbyd opens a socket for operators if it can.
func (c *config) mayHaveSocket() bool {
	return c.Admin.Socket != noSocket && (c.Admin.Socket != "" || c.Data != noData)
}

// usualSockets returns where a lobbyd of this user, or of the system, listens for operators.
func usualSockets() []string {
	var all []string
	if dir, err := new(config).dataDir(); err == nil {
		all = append(all, filepath.Join(dir, socketFile))
	}
	for _, dir := range []string{"/run/lobbyd", "/var/lib/lobbyd"} {
		if path := filepath.Join(dir, socketFile); !slices.Contains(all, path) {
			all = append(all, path)
		}
	}
	return all
}

// dialAny connects to the first of some sockets on which lobbyd listens.
func dialAny(ctx context.Context, paths []string) (net.Conn, error) {
	var errs []error
	for _, path := range paths {
		c, err := new(net.Dialer).DialContext(ctx, "unix", path)
		if err == nil {
			return c, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return nil, fmt.Errorf("no lobbyd listens at %s: name the path of its -admin with -socket, by default %s in its -data",
		strings.Join(paths, " or "), socketFile)
}
