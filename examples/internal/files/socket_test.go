package files_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/files"
)

// Listen replaces the socket of a killed process, but neither a socket in use nor
// another file.
func TestListenReplacesOnlyDeadSockets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "admin.sock")
	left, err := files.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := files.Listen(path); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("in use: %v", err)
	}
	left.Close()
	kept, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	kept.SetUnlinkOnClose(false)
	kept.Close() // as if the process had been killed
	if _, err := os.Lstat(path); err != nil {
		t.Fatal(err)
	}
	again, err := files.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Listen(path); err == nil || !strings.Contains(err.Error(), "not a socket") {
		t.Errorf("a file: %v", err)
	}
}
