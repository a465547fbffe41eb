// Package usage defines the errors in command lines.
package usage

import (
	"fmt"
)

// An Error is an error in the command line.
type Error struct {
	Problem string
	Advice  string // what to do
}

func (e *Error) Error() string { return e.Problem }

// A Command is a command of the program, such as a cobra.Command.
type Command interface {
	UseLine() string
	CommandPath() string
}

// Bad returns an Error that points to the help of cmd.
func Bad(cmd Command, format string, args ...any) error {
	return &Error{
		Problem: fmt.Sprintf(format, args...),
		Advice:  fmt.Sprintf("usage: %s\nSee %q for details.", cmd.UseLine(), cmd.CommandPath()+" -help"),
	}
}

// An Advised is an error of another kind, with what to do about it.
type Advised struct {
	Err    error
	Advice string
}

// Error returns the error without the advice.
func (e *Advised) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *Advised) Unwrap() error { return e.Err }
