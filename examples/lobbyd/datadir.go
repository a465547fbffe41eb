package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/cluster"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/data"
)

// noData is the value of -data for keeping nothing.
const noData = "off"

// keySecret names the secret that tokens of the HTTP lobby are derived from.
const keySecret = "warzone-key"

// dataDir returns the data directory, or "" for none: the configured one, or else the one
// that systemd has made, or else one among the state files of the user. The default
// depends on the offset of ports.
func (c *config) dataDir() (string, error) {
	switch c.Data {
	case "":
	case noData:
		return "", nil
	default:
		return c.Data, nil
	}
	name := "lobbyd"
	if c.Offset != 0 {
		name = fmt.Sprintf("lobbyd%+d", c.Offset)
	}
	first, _, _ := strings.Cut(os.Getenv("STATE_DIRECTORY"), ":")
	if first != "" {
		return filepath.Join(first, strings.TrimPrefix(name, "lobbyd")), nil
	}
	if state := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, name), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", name), err
}

// openData opens the data directory. If there is no usable one and none is configured,
// lobbyd runs without it.
func (l *lists) openData(ctx context.Context) error {
	path, err := l.config.dataDir()
	if path == "" && err == nil {
		return nil
	}
	if err == nil {
		l.data, err = data.Open(ctx, path, l.log)
	}
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, data.ErrInUse):
		return fmt.Errorf("data directory %w; use another one with -data", err)
	case l.config.Data != "":
		return fmt.Errorf("data directory: %w", err)
	default:
		l.log.Warn("there is no data directory; a restart loses all servers and games", "path", path, "error", err)
		return nil
	}
	l.log.Info("data directory", "path", path)
	l.saved = l.data.Lists(l.log)
	l.restoreHistory()
	return nil
}

// closeData writes the pending changes.
func (l *lists) closeData() {
	if l.data == nil {
		return
	}
	l.saved.Close()
	l.saveHistory()
	if err := l.data.Close(); err != nil {
		l.log.Warn("the data directory is not unlocked", "error", err)
	}
}

// freeze makes the saved and the shared lists keep their entries: from now on, hosts
// leave because lobbyd stops.
func (l *lists) freeze() {
	if l.masters != nil {
		l.masters.games.Flush()
	}
	if l.saved != nil {
		l.saved.Freeze()
	}
	if node := l.node.Load(); node != nil {
		node.Freeze()
	}
}

// withSecrets returns the configuration with a key of the data directory for the tokens of
// the HTTP lobby, if no other is configured.
func (l *lists) withSecrets() (config, error) {
	c := l.config
	if l.data == nil || c.tokenKey() != nil {
		return c, nil
	}
	var err error
	c.Warzone.key, err = l.data.Secret(keySecret)
	return c, err
}

// saving returns stores that also save the lists.
func (s sharing) saving(l *data.Lists, node *cluster.Cluster) sharing {
	isOurs := func(f catalogue.Family) func(id string) bool {
		return func(id string) bool { return node.IsOurs(f, id) }
	}
	return sharing{
		gameagent: l.GameAgent.Shared(s.gameagent, isOurs(catalogue.GameAgent)),
		gamespy:   l.GameSpy.Shared(s.gamespy, isOurs(catalogue.GameSpy)),
		bomberman: l.Bomberman.Shared(s.bomberman, isOurs(catalogue.Bomberman)),
		warzone:   l.Warzone.Shared(s.warzone, isOurs(catalogue.Warzone)),
	}
}

// longestCheck bounds the time of the checks of restored servers. After it, lobbyd is ready
// without their results.
const longestCheck = 15 * time.Second
