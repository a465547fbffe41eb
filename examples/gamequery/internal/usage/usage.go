// Package usage has the errors in command lines.
package usage

import (
	"fmt"

	"github.com/spf13/cobra"
)

// An Error is an error in the command line.
type Error struct {
	Problem string
	Advice  string // what to do
}

func (e *Error) Error() string { return e.Problem }

// Bad returns a Error that points to the help of cmd.
func Bad(cmd *cobra.Command, format string, args ...any) error {
	return &Error{
		Problem: fmt.Sprintf(format, args...),
		Advice:  fmt.Sprintf("usage: %s\nSee %q for details.", cmd.UseLine(), cmd.CommandPath()+" -help"),
	}
}
