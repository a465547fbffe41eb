// Package manual writes the manual pages of programs.
package manual

import (
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/lobbywire/lobbywire/examples/internal/version"
)

// Write writes a manual page for each command of a program into a folder.
func Write(root *cobra.Command, folder string) error {
	root.DisableAutoGenTag = true // which has the date
	header := &doc.GenManHeader{Source: root.Name() + " " + version.Text(), Manual: "lobbywire"}
	return doc.GenManTree(root, header, folder)
}
