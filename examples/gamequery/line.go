package main

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
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// schemaVersion changes when a program that reads lines of JSON has to change. New
// members do not change it.
const schemaVersion = 1

// A line is what -json prints of a server, whatever its protocol. The file
// schema.json describes it.
type line struct {
	Schema         int             `json:"schema"`
	Protocol       string          `json:"protocol,omitzero"`
	Address        string          `json:"address,omitzero"`
	Query          string          `json:"query,omitzero"`
	lobbywire.View                 // its members are members of the line
	RTT            json.RawMessage `json:"rtt,omitzero"`
	Attempts       int             `json:"attempts,omitzero"`
	Lacks          string          `json:"lacks,omitzero"`
	Error          *lineError      `json:"error,omitzero"`
	Answer         json.RawMessage `json:"answer,omitzero"`
}

// A lineError says why there is no answer.
type lineError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// line returns what -json prints of the server.
func (a answer) line() ([]byte, error) {
	l := line{Schema: schemaVersion, Protocol: a.protocol, Attempts: a.attempts}
	if a.query.IsValid() {
		l.Query = a.query.String()
	}
	switch {
	case a.err != nil:
		l.Error = &lineError{errorCode(a.err), a.err.Error()}
	case a.message != nil:
		text, err := lobbywire.MarshalJSON(repaired(a.message))
		if err != nil {
			return nil, err
		}
		l.Answer = text
		fallthrough
	default:
		l.Address, l.View, l.Lacks = a.address(), a.view, a.lacks
	}
	if a.rtt > 0 {
		l.RTT = json.RawMessage(milliseconds(a.rtt))
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(l); err != nil {
		return nil, err
	}
	return escapeControls(b.Bytes()), nil
}

// writeLine prints a server as a line of JSON.
func (a answer) writeLine(w io.Writer) error {
	text, err := a.line()
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// isInterrupted reports whether a signal has ended a command.
func isInterrupted(err error) bool {
	return errors.Is(err, errInterrupted) || errors.Is(err, context.Canceled)
}

// errorCode returns the code of an error in JSON.
func errorCode(err error) string {
	for _, kind := range []struct {
		code string
		is   bool
	}{
		{"usage", errors.As(err, new(*usageError))},
		{"interrupted", isInterrupted(err)},
		{"invalid", errors.As(err, new(*lobbywire.Error))}, // perhaps with a timeout, for nothing else arrived
		{"lost", errors.Is(err, lobbywire.ErrLost)},
		{"timeout", errors.Is(err, lobbywire.ErrTimeout) || errors.Is(err, os.ErrDeadlineExceeded)},
		{"refused", errors.Is(err, syscall.ECONNREFUSED)},
		{"unreachable", errors.Is(err, syscall.EHOSTUNREACH) || errors.Is(err, syscall.ENETUNREACH)},
		{"name", errors.As(err, new(*net.DNSError))},
		{"closed", errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)},
		{"denied", errors.As(err, new(*warzonenet.LobbyError))},
	} {
		if kind.is {
			return kind.code
		}
	}
	return "other"
}
