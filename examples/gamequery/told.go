package main

import (
	"errors"

	"github.com/spf13/cobra"
)

// A toldError is an error that lines of JSON on standard output tell.
type toldError struct{ error }

func (e toldError) Unwrap() error { return e.error }

// tellJSON prints an error as a line of JSON if the flag -json of cmd is set, unless
// there is such a line.
func tellJSON(cmd *cobra.Command, err error) error {
	asJSON, flagErr := cmd.Flags().GetBool("json")
	if err == nil || flagErr != nil || !asJSON || errors.As(err, new(toldError)) {
		return err
	}
	told := answer{err: err}
	if p, ok := protocolNamed(cmd.Flags().Arg(0)); ok {
		told.protocol = p.name
	}
	if failed := told.writeLine(cmd.OutOrStdout()); failed != nil {
		return errors.Join(err, failed)
	}
	return toldError{err}
}
