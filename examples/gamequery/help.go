package main

import (
	"embed"
	"strings"

	"github.com/spf13/cobra"
)

// helpTexts contains the second part of the help of commands, which explains the details,
// and the topics that are not commands. Lines that begin with blanks keep their form in
// manual pages; lines in capitals are headings.
//
//go:embed help/*.txt
var helpTexts embed.FS

// topics are the help texts that are not about one command.
var topics = []struct{ name, about string }{
	{"protocols", "Servers and masters of each protocol, to try out"},
	{"output", "Formats, JSON, and how to select and sort servers"},
}

// addHelp adds the help texts to the commands, and the topics.
func addHelp(root *cobra.Command) {
	for _, topic := range topics {
		root.AddCommand(&cobra.Command{Use: topic.name, Short: topic.about})
	}
	for _, cmd := range root.Commands() {
		if text, err := helpTexts.ReadFile("help/" + cmd.Name() + ".txt"); err == nil {
			cmd.Long = strings.TrimSpace(cmd.Long + "\n\n" + string(text))
		}
	}
}
