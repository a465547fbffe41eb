package output

import (
	"errors"

	"github.com/spf13/cobra"
)

// A PrintedError is an error that was printed as JSON, or with the reason why it was not.
type PrintedError struct{ Err error }

func (e PrintedError) Error() string { return e.Err.Error() }

func (e PrintedError) Unwrap() error { return e.Err }

// PrintJSONError prints an error as a line of JSON if the flag -json of cmd is set and
// the error was not printed yet. protocol is the protocol of the command, "" if it names
// none.
func PrintJSONError(cmd *cobra.Command, protocol string, err error) error {
	asJSON, flagErr := cmd.Flags().GetBool("json")
	if err == nil || flagErr != nil || !asJSON || errors.As(err, new(PrintedError)) {
		return err
	}
	line := Answer{Protocol: protocol, Err: err}
	if failed := line.WriteLine(cmd.OutOrStdout()); failed != nil {
		return PrintedError{errors.Join(err, failed)}
	}
	return PrintedError{err}
}
