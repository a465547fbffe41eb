package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each command that help shows has a manual page, with its flags.
func TestEachCommandHasAManualPage(t *testing.T) {
	folder := t.TempDir()
	if code, _, stderr := gamequery(nil, "man", folder); code != exitOK {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	for page, want := range map[string]string{
		"gamequery.1": `\fBgamequery\-scan\fP(1)`, "gamequery-scan.1": `\fB\-\-timeout\fP`,
	} {
		b, err := os.ReadFile(filepath.Join(folder, page))
		if err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s: %q is missing, %v", page, want, err)
		}
	}
	if code, _, _ := gamequery(nil, "man"); code != exitUsage {
		t.Errorf("without a folder: exit code %d", code)
	}
}
