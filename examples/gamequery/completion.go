package main

import (
	"bytes"
	_ "embed"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/formats"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/traffic"
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

// bashWords is the end of the script for bash.
//
//go:embed completion.bash
var bashWords string

// completeWithoutPackage adds the command completion, whose script for bash then works
// without the package bash-completion. The output of root must be set.
func completeWithoutPackage(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	bash, _, err := root.Find([]string{"completion", "bash"})
	if err != nil {
		return // the command line gets the same error
	}
	printScript := bash.RunE
	bash.RunE = func(cmd *cobra.Command, args []string) error {
		if err := printScript(cmd, args); err != nil {
			return err
		}
		_, err := io.WriteString(root.OutOrStdout(), bashWords)
		return err
	}
}

// completionOut returns the destination of completions. Shells drop completions that
// do not start like the word, so flags have one dash if the word does.
func completionOut(args []string, w io.Writer) io.Writer {
	if word := args[len(args)-1]; len(word) > 1 && word[0] == '-' && unicode.IsLetter(rune(word[1])) {
		return oneDash{w}
	}
	return w
}

// A oneDash writes completions with one dash. Each Write has one completion.
type oneDash struct{ io.Writer }

func (o oneDash) Write(b []byte) (int, error) {
	if !bytes.HasPrefix(b, []byte("--")) {
		return o.Writer.Write(b)
	}
	n, err := o.Writer.Write(b[1:])
	return n + 1, err
}
