// Package manual writes the manual pages of programs.
package manual

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// Write writes a manual page for a program, and for each of its commands and help topics,
// into a folder. Hidden commands have none.
func Write(root *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	if root.Name() == "help" || root.Hidden {
		return nil
	}
	for _, cmd := range root.Commands() {
		if err := Write(cmd, folder); err != nil {
			return err
		}
	}
	var page bytes.Buffer
	writePage(&page, root)
	return os.WriteFile(filepath.Join(folder, pageName(root)+".1"), page.Bytes(), 0o666)
}

// pageName returns the name of the page of a command.
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }
