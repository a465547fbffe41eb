package main

import (
	"errors"

	"github.com/spf13/cobra"
)

// A printedError is an error that was printed as JSON.
type printedError struct{ error }

func (e printedError) Unwrap() error { return e.error }

// printJSONError prints an error as a line of JSON if the flag -json of cmd is set and
// the error was not printed yet.
func printJSONError(cmd *cobra.Command, err error) error {
	asJSON, flagErr := cmd.Flags().GetBool("json")
	if err == nil || flagErr != nil || !asJSON || errors.As(err, new(printedError)) {
		return err
	}
	line := answer{err: err}
	if p, ok := protocolNamed(cmd.Flags().Arg(0)); ok {
		line.protocol = p.name
	}
	if failed := line.writeLine(cmd.OutOrStdout()); failed != nil {
		return errors.Join(err, failed)
	}
	return printedError{err}
}
