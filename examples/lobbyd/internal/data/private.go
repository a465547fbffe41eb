package data

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// others are the permissions of other users than the owner, and othersWrite their write
// permissions.
const (
	others      = 0o077
	othersWrite = 0o022
)

// ownFiles are patterns for the names of all files that lobbyd writes to the directory, that
// it keeps aside, or that a crash leaves.
var ownFiles = [...]string{lockFile, "*.secret", "*.secret.*", "*.list", "*.list.*", "*.json", "*.json.*", "*.sock"}

// makePrivate takes the permissions of other users from the directory and its files. It logs
// what it has changed and what it could not change. It does not change a directory that other
// programs use too.
func (d *Dir) makePrivate(log *slog.Logger) {
	if runtime.GOOS == "windows" {
		return // which has no modes
	}
	root, err := os.OpenRoot(d.path)
	if err != nil {
		log.Warn("the modes of the data directory are not checked", "path", d.path, "error", err)
		return
	}
	defer root.Close()
	entries, err := os.ReadDir(d.path)
	if err != nil {
		log.Warn("the modes of the files in the data directory are not checked", "path", d.path, "error", err)
	}
	own := make([]string, 0, len(entries))
	for _, e := range entries {
		if isOwnFile(e.Name()) {
			own = append(own, e.Name())
		}
	}
	if len(own) == len(entries) {
		closeToOthers(root, ".", dirMode, log)
	} else if info, err := root.Stat("."); err != nil || info.Mode()&others != 0 {
		log.Warn("other users may use the data directory, and it has files of other programs: give lobbyd its own",
			"path", d.path)
	}
	for _, name := range own {
		closeToOthers(root, name, fileMode, log)
	}
}

func isOwnFile(name string) bool {
	return slices.ContainsFunc(ownFiles[:], func(pattern string) bool {
		ok, _ := filepath.Match(pattern, name)
		return ok
	})
}

// closeToOthers sets the mode of a file, or of the directory itself, if other users have any
// permission. It follows no links, which others may have made.
func closeToOthers(root *os.Root, name string, mode fs.FileMode, log *slog.Logger) {
	path := filepath.Join(root.Name(), name)
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return
	case err == nil && (info.Mode()&others == 0 || !info.IsDir() && !info.Mode().IsRegular()):
		return
	case err == nil:
		err = root.Chmod(name, mode)
	}
	if err != nil {
		log.Warn("other users may use this part of the data directory, and lobbyd cannot prevent it", "path", path,
			"error", err)
		return
	}
	level := slog.LevelWarn
	if info.IsDir() && info.Mode()&othersWrite == 0 {
		level = slog.LevelInfo // they could read names, as in a new volume of a container
	}
	log.Log(context.Background(), level, "other users could use this part of the data directory; it is private now",
		"path", path, "was", info.Mode().String())
}
