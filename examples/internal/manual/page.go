package manual

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// writePage writes the page of a command, for man.
func writePage(b *bytes.Buffer, cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	release, _, _ := strings.Cut(cmd.Root().Version, ",")
	fmt.Fprintf(b, ".TH %s 1 \"\" %s lobbywire\n", quoted(strings.ToUpper(pageName(cmd))),
		quoted(strings.TrimSpace(cmd.Root().Name()+" "+release)))
	b.WriteString(".nh\n.ad l\n") // people copy words from it, so they are not hyphenated
	fmt.Fprintf(b, ".SH NAME\n%s \\- %s\n", escaped(pageName(cmd)), escaped(cmd.Short))
	if cmd.Runnable() {
		arguments := strings.TrimPrefix(cmd.UseLine(), cmd.CommandPath())
		fmt.Fprintf(b, ".SH SYNOPSIS\n\\fB%s\\fP%s\n", escaped(cmd.CommandPath()), escaped(arguments))
	}
	b.WriteString(".SH DESCRIPTION\n")
	writeText(b, cmp.Or(cmd.Long, cmd.Short+"."))
	if cmd.HasAvailableFlags() && cmd.Runnable() {
		b.WriteString(".SH OPTIONS\n")
		cmd.Flags().VisitAll(func(f *pflag.Flag) { writeFlag(b, f) })
	}
	if cmd.Example != "" {
		b.WriteString(".SH EXAMPLES\n")
		writeText(b, cmd.Example)
	}
	var related []string
	if cmd.HasParent() {
		related = append(related, reference(cmd.Parent()))
	}
	for _, sub := range cmd.Commands() {
		if !sub.Hidden && sub.Name() != "help" {
			related = append(related, reference(sub))
		}
	}
	if len(related) > 0 {
		fmt.Fprintf(b, ".SH SEE ALSO\n%s\n", strings.Join(related, ",\n"))
	}
}

func reference(cmd *cobra.Command) string {
	return fmt.Sprintf("\\fB%s\\fP(1)", escaped(pageName(cmd)))
}

// writeFlag writes the entry of a flag.
func writeFlag(b *bytes.Buffer, f *pflag.Flag) {
	if f.Hidden || f.Deprecated != "" {
		return
	}
	b.WriteString(".TP\n")
	if f.Shorthand != "" {
		fmt.Fprintf(b, "\\fB%s\\fP, ", escaped("-"+f.Shorthand))
	}
	value, text := pflag.UnquoteUsage(f)
	fmt.Fprintf(b, "\\fB%s\\fP", escaped("--"+f.Name))
	if value != "" {
		fmt.Fprintf(b, " \\fI%s\\fP", escaped(value))
	}
	b.WriteString("\n")
	switch f.DefValue {
	case "", "0", "0s", "false", "[]":
	default:
		text += fmt.Sprintf(" (default %s)", f.DefValue)
	}
	b.WriteString(escaped(text) + "\n")
}

// writeText writes the help of a command. Lines that begin with a blank keep their form,
// and lines in capitals are headings.
func writeText(b *bytes.Buffer, text string) {
	kept := false // the last line keeps its form
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		line = strings.TrimRight(line, " \n")
		keeps := line != "" && (line[0] == ' ' || line[0] == '\t') || line == "" && kept
		if keeps != kept {
			b.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[keeps])
			kept = keeps
		}
		switch heading := strings.Trim(line, "# :"); {
		case line == "" && !kept:
			b.WriteString(".PP\n")
		case isHeading(line):
			fmt.Fprintf(b, ".SS %s\n", quoted(heading))
		default:
			b.WriteString(escaped(line) + "\n")
		}
	}
	if kept {
		b.WriteString(".fi\n")
	}
}

// isHeading reports whether a line is a heading: of capitals only or, in the help that
// cobra writes, marked with #.
func isHeading(line string) bool {
	return strings.HasPrefix(line, "####") || len(line) > 1 && line[0] != ' ' &&
		strings.ToUpper(line) == line && strings.ToLower(line) != line && !strings.ContainsAny(line, ".,:;")
}

// escaped returns text such that no part of it is a command of roff.
func escaped(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\t", "    ").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// quoted returns text as one argument of a command of roff.
func quoted(text string) string { return `"` + strings.ReplaceAll(escaped(text), `"`, `\(dq`) + `"` }
