package main

import (
	"log/slog"
	"os"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"
)

// inherited returns the sockets that systemd has opened, by FileDescriptorName.
func inherited() map[string][]*os.File {
	const unsetEnv = true
	byName := make(map[string][]*os.File)
	for _, f := range activation.Files(unsetEnv) {
		byName[f.Name()] = append(byName[f.Name()], f)
	}
	return byName
}

// notify notifies systemd, if it has started lobbyd.
func notify(log *slog.Logger, state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		log.Warn("cannot notify systemd", "state", state, "error", err)
	}
}
