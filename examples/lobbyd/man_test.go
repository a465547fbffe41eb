package main

import (
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// Each command has a manual page, with its flags.
func TestEachCommandHasAManualPage(t *testing.T) {
	dir := t.TempDir()
	if code := run(t.Context(), []string{"man", dir}, nil, io.Discard, io.Discard); code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	for page, want := range map[string]string{
		"lobbyd.1":           `\fB\-\-trusted\-proxy\fP`,
		"lobbyd-health.1":    `\fB\-\-ready\fP`,
		"lobbyd-admin-ban.1": `\fB\-\-reason\fP`,
	} {
		if text := read(t, filepath.Join(dir, page)); !strings.Contains(text, want) {
			t.Errorf("%s lacks %s", page, want)
		}
	}
	if code := run(t.Context(), []string{"man"}, nil, io.Discard, io.Discard); code != exitUsage {
		t.Errorf("without a folder: exit code %d", code)
	}
}
