package manual

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// Text keeps its paragraphs, headings, lists and tables, and none of it is a command of
// roff.
func TestPageHasNoCommandsOfRoff(t *testing.T) {
	root := &cobra.Command{Use: "prog", Version: "v1, go1", Short: "Do things", Long: `Prog does things.
.so evil

FIRST PART

With -flag "a\b":

  'x'  1

  y    2
after`, Run: func(*cobra.Command, []string) {}}
	root.Flags().Int("count", 4, "a `NUMBER` of things")
	root.Flags().BoolP("quiet", "q", false, "'say nothing")
	sub := &cobra.Command{Use: "sub-topic", Short: "A topic", Example: "  prog sub-topic"}
	root.AddCommand(sub)
	var b bytes.Buffer
	writePage(&b, root)
	want := `.TH "PROG" 1 "" "prog v1" lobbywire
.nh
.ad l
.SH NAME
prog \- Do things
.SH SYNOPSIS
\fBprog\fP [flags]
.SH DESCRIPTION
Prog does things.
\&.so evil
.PP
.SS "FIRST PART"
.PP
With \-flag "a\eb":
.PP
.nf
  'x'  1

  y    2
.fi
after
.SH OPTIONS
.TP
\fB\-\-count\fP \fINUMBER\fP
a NUMBER of things (default 4)
.TP
\fB\-h\fP, \fB\-\-help\fP
help for prog
.TP
\fB\-q\fP, \fB\-\-quiet\fP
\&'say nothing
.SH SEE ALSO
\fBprog\-sub\-topic\fP(1)
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
