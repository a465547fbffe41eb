package files

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
)

// Listen listens on a unix socket at path. Other users can never connect: the socket is
// created in a private directory and moved there with its final mode. It replaces a socket
// on which no process listens any more.
func Listen(path string) (net.Listener, error) {
	if c, err := net.Dial("unix", path); err == nil {
		c.Close()
		return nil, fmt.Errorf("%s: another process is listening there", path)
	}
	switch was, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case was.Mode().Type() != fs.ModeSocket:
		return nil, fmt.Errorf("%s: the file exists and is not a socket", path)
	}
	private, err := os.MkdirTemp(filepath.Dir(path), ".")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(private)
	at := filepath.Join(private, "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: at, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	const ownerOnly = 0o600
	if err := errors.Join(os.Chmod(at, ownerOnly), os.Rename(at, path)); err != nil {
		l.Close()
		return nil, err
	}
	return &listener{Listener: l, path: path}, nil
}

// A listener removes its file when it is closed.
type listener struct {
	net.Listener
	path string
}

func (l *listener) Addr() net.Addr { return &net.UnixAddr{Name: l.path, Net: "unix"} }

func (l *listener) Close() error {
	err := l.Listener.Close()
	if err == nil {
		err = os.Remove(l.path)
	}
	return err
}
