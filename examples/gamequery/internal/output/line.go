package output

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"syscall"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/reach"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/internal/messagejson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// schemaVersion changes when a program that reads lines of JSON has to change. New
// members do not change it.
const schemaVersion = 1

// A line is the output of -json for a server of any protocol. The file schema.json
// describes it.
type line struct {
	Schema         int             `json:"schema"`
	Target         string          `json:"target,omitzero"`
	Protocol       string          `json:"protocol,omitzero"`
	Address        string          `json:"address,omitzero"`
	Query          string          `json:"query,omitzero"`
	Given          uint16          `json:"given,omitzero"`
	lobbywire.View                 // its members are members of the line
	RTT            json.RawMessage `json:"rtt,omitzero"`
	Attempts       int             `json:"attempts,omitzero"`
	Lacks          string          `json:"lacks,omitzero"`
	Error          *lineError      `json:"error,omitzero"`
	ID             string          `json:"id,omitzero"`
	Answer         json.RawMessage `json:"answer,omitzero"`
}

// A lineError is the reason why there is no answer.
type lineError struct {
	Code    string            `json:"code"`
	Message string            `json:"message"`
	LeftOut lobbywire.LeftOut `json:"leftOut,omitzero"`
}

// line returns what -json prints for the server.
func (a Answer) line() ([]byte, error) {
	l := line{Schema: schemaVersion, Target: a.Target, Protocol: a.Protocol, Attempts: a.Attempts}
	if a.Query.IsValid() {
		l.Query = a.Query.String()
	}
	switch {
	case a.Err != nil:
		left, _ := errors.AsType[lobbywire.LeftOutError](a.Err)
		l.Error = &lineError{ErrorCode(a.Err), a.Err.Error(), left.LeftOut}
	case a.Message != nil:
		text, err := messagejson.Marshal(readable(a.Message))
		if err != nil {
			return nil, err
		}
		l.Answer = text
		fallthrough
	default:
		l.Address, l.View, l.Lacks, l.ID = a.Address(), a.View, a.Lacks, a.ID
		l.Given = a.Given
	}
	if a.RTT > 0 {
		l.RTT = json.RawMessage(terminal.Milliseconds(a.RTT))
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(l); err != nil {
		return nil, err
	}
	return terminal.EscapeControls(b.Bytes()), nil
}

// WriteLine prints a server as a line of JSON.
func (a Answer) WriteLine(w io.Writer) error {
	text, err := a.line()
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// ErrInterrupted is the error of a command that a signal has ended.
var ErrInterrupted = errors.New("interrupted before the end")

// Codes of errors that only the query service has.
const (
	ForbiddenCode = "forbidden"
	BusyCode      = "busy"
)

// ErrBusy is the error of a query for which the query service has no room.
var ErrBusy = errors.New("too much to do")

// ErrPartial is the error of a list that is shown, but may lack servers.
var ErrPartial = errors.New("the list is not whole: servers may be missing")

// isInterrupted reports whether a signal has ended a command.
func isInterrupted(err error) bool {
	return errors.Is(err, ErrInterrupted) || errors.Is(err, context.Canceled)
}

// ErrorCode returns the code of an error in JSON.
func ErrorCode(err error) string {
	for _, kind := range []struct {
		code string
		is   bool
	}{
		{"usage", errors.As(err, new(*usage.Error))},
		{"interrupted", isInterrupted(err)},
		{ForbiddenCode, errors.As(err, new(*reach.ForbiddenError))},
		{BusyCode, errors.Is(err, ErrBusy)},
		{"skipped", errors.As(err, new(lobbywire.LeftOutError))},
		{"partial", errors.Is(err, ErrPartial)},
		{"invalid", errors.Is(err, lobbywire.ErrUnreadable) || errors.As(err, new(*lobbywire.Error))},
		{"lost", errors.Is(err, lobbywire.ErrLost)},
		{"timeout", errors.Is(err, os.ErrDeadlineExceeded)},
		{"refused", errors.Is(err, syscall.ECONNREFUSED)},
		{"unreachable", errors.Is(err, syscall.EHOSTUNREACH) || errors.Is(err, syscall.ENETUNREACH)},
		{"name", errors.As(err, new(*net.DNSError))},
		{"closed", errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)},
		{"denied", errors.As(err, new(*proposalnet.LobbyError))},
	} {
		if kind.is {
			return kind.code
		}
	}
	return "other"
}
