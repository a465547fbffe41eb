package main

import (
	"bytes"
	"context"
	_ "embed"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
)

// completeMessage completes a MESSAGE, and files after it.
func completeMessage(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []string
	for _, f := range formats.All() {
		names = append(names, f.Name+"\t"+f.Doc)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeOneMessage completes a MESSAGE that is the only argument.
func completeOneMessage(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	names, _ := completeMessage(cmd, args, word)
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeMessageOrCapture completes a MESSAGE or a file.
func completeMessageOrCapture(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	names, _ := completeMessage(cmd, args, word)
	return names, cobra.ShellCompDirectiveDefault
}

// completeFlags lets shells complete the values of all flags.
func completeFlags(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if complete := flagCompletion(flag); complete != nil {
				// It fails only for flags that have a completion function already.
				_ = cmd.RegisterFlagCompletionFunc(flag.Name, complete)
			}
		})
	}
}

// flagCompletion returns the completion function of a flag, nil for files and for
// flags without a value.
func flagCompletion(flag *pflag.Flag) cobra.CompletionFunc {
	if mask, ok := flag.Value.(interface{ Names() []string }); ok {
		return completeMask(mask.Names())
	}
	if query, ok := flag.Value.(formats.QueryFlag); ok {
		return fixed(query.All()...)
	}
	switch {
	case flag.Value.Type() == "bool" || flag.Name == "from" || flag.Name == "output":
		return nil
	case flag.Name == "ask":
		return completeAsk
	case flag.Name == "sort":
		return completeOrder
	case flag.Name == "challenge":
		return fixed("off", "offered", "required")
	case flag.Name == "only":
		return fixed(traffic.Protocols()...)
	}
	return cobra.NoFileCompletions
}

func fixed(words ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// completeOrder completes the last of several members, joined by commas.
func completeOrder(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	full, err := output.FullRecord()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	last := strings.LastIndexByte(word, ',') + 1
	last += len(word[last:]) - len(strings.TrimLeft(word[last:], "-"))
	var words []string
	for _, name := range output.Sortable(full) {
		words = append(words, word[:last]+name)
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeMask completes the last of several names, joined by | or commas. It offers
// names that do not occur yet.
func completeMask(names []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		last := strings.LastIndexAny(word, "|,") + 1
		there := strings.FieldsFunc(word[:last], func(c rune) bool { return c == '|' || c == ',' })
		var words []string
		for _, name := range names {
			if !slices.Contains(there, name) {
				words = append(words, word[:last]+name)
			}
		}
		return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// completeAsk completes -ask with the values for the PROTOCOL, or with all values if
// there is none yet.
func completeAsk(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var words []string
	for _, p := range protocols.All() {
		if len(args) > 0 && !strings.EqualFold(p.Name, args[0]) {
			continue
		}
		asks := p.Asks
		if cmd.Name() != "query" && cmd.Name() != "watch" {
			asks = protocols.ScanAsks(p)
		}
		words = append(words, asks...)
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// complete prints the completions of the last argument.
func complete(ctx context.Context, root *cobra.Command, args []string, w io.Writer) int {
	completeFlags(root)
	word := args[len(args)-1]
	args = cli.DoubleDashes(args)
	if isOneDash(word) {
		args[len(args)-1] = "-" + word // also if it has one letter yet
	}
	root.SetArgs(args)
	var all bytes.Buffer
	root.SetOut(&all)
	if root.ExecuteContext(ctx) != nil {
		return exitFailed
	}
	if _, err := io.WriteString(w, completionsOf(word, all.String())); err != nil {
		return exitFailed
	}
	return exitOK
}

// isOneDash reports whether a word is the start of a flag with one dash.
func isOneDash(word string) bool {
	return len(word) > 1 && word[0] == '-' && unicode.IsLetter(rune(word[1]))
}

// completionsOf returns the completions of a word among all that cobra has printed: the
// ones that start with it, in any case. If none does, it returns all, for shells that
// look within words. Flags have one dash if the word has. Descriptions end with the first
// phrase.
func completionsOf(word, all string) string {
	value := word
	if strings.HasPrefix(word, "-") {
		if _, after, isValue := strings.Cut(word, "="); isValue {
			value = after
		}
	}
	var matching, others strings.Builder
	for line := range strings.Lines(all) {
		text, description, hasDescription := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if isOneDash(word) && strings.HasPrefix(text, "--") {
			text = text[1:]
		}
		isDirective := strings.HasPrefix(text, ":") && !hasDescription
		to := &others
		if len(text) >= len(value) && strings.EqualFold(text[:len(value)], value) {
			to = &matching
		}
		if isDirective && matching.Len() == 0 {
			return others.String() + text + "\n"
		}
		if isDirective {
			return matching.String() + text + "\n"
		}
		to.WriteString(text)
		if hasDescription {
			phrase, _, _ := strings.Cut(description, "; ")
			to.WriteString("\t" + strings.ReplaceAll(phrase, "`", ""))
		}
		to.WriteByte('\n')
	}
	return all
}

// The end of the script for bash, the script for zsh, and how to enable the scripts of all
// shells.
var (
	//go:embed completion.bash
	bashWords string
	//go:embed completion.zsh
	zshScript string

	enabling = map[string]string{
		"bash": `Bash prints a script that makes bash complete commands, protocols, messages and
values of flags, with or without the package bash-completion.

In this shell:

  source <(gamequery completion bash)

In all shells from now on:

  gamequery completion bash > ~/.local/share/bash-completion/completions/gamequery

Without the package, add the first of these commands to ~/.bashrc instead.`,
		"zsh": `Zsh prints a script that makes zsh complete commands, protocols, messages and
values of flags. ~/.zshrc must enable completion, with this line:

  autoload -U compinit; compinit

In this shell:

  source <(gamequery completion zsh)

In all shells from now on:

  gamequery completion zsh > "${fpath[1]}/_gamequery"`,
		"fish": `Fish prints a script that makes fish complete commands, protocols, messages and
values of flags.

In this shell:

  gamequery completion fish | source

In all shells from now on:

  gamequery completion fish > ~/.config/fish/completions/gamequery.fish`,
		"powershell": `Powershell prints a script that makes PowerShell complete commands, protocols,
messages and values of flags. In this shell, and in your profile for all shells:

  gamequery completion powershell | Out-String | Invoke-Expression`,
	}
)

// addCompletion adds the command completion. Its script for bash works without the
// package bash-completion, and its script for zsh starts one process. The output of root
// must be set.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	parent, _, err := root.Find([]string{"completion"})
	if err != nil {
		return // the command line gets the same error
	}
	parent.Use = "completion SHELL"
	parent.Short = "Print the script that completes command lines in a shell"
	parent.Long = `Completion prints the script that completes command lines in a shell.
"gamequery completion SHELL -help" explains how to enable it.`
	for _, shell := range parent.Commands() {
		shell.Short = "Print the script for " + shell.Name()
		shell.Long = enabling[shell.Name()]
		shell.DisableFlagsInUseLine = true
		printScript := shell.RunE
		switch shell.Name() {
		case "bash":
			shell.RunE = func(cmd *cobra.Command, args []string) error {
				if err := printScript(cmd, args); err != nil {
					return err
				}
				_, err := io.WriteString(root.OutOrStdout(), bashWords)
				return err
			}
		case "zsh":
			shell.RunE = func(cmd *cobra.Command, _ []string) error {
				script := zshScript
				if plain, err := cmd.Flags().GetBool("no-descriptions"); err == nil && plain {
					script = strings.Replace(script, cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd, 1)
				}
				_, err := io.WriteString(root.OutOrStdout(), script)
				return err
			}
		}
	}
}
