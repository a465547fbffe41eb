package service

import (
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"syscall"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// A kindError describes the kind of an error without its details. If kind is not nil,
// it is an error without details, which a kindError wraps.
type kindError struct {
	text string
	kind error
}

func (e *kindError) Error() string { return e.text }

func (e *kindError) Unwrap() error { return e.kind }

// Errors of lists.
var (
	errPartial = &kindError{output.ErrPartial.Error(), output.ErrPartial}
	errTooLong = &kindError{text: "the list is too long: servers are missing"}
)

var errNoAnswer = &kindError{text: "no valid answer"}

// plain returns the kind of the error of a query, without details. Details would let clients
// read what other services than game servers send, and the addresses of this machine and of its
// resolver.
func plain(err error) error {
	if e, ok := errors.AsType[*kindError](err); ok {
		return e
	}
	if e, ok := errors.AsType[*protocols.SilenceError](err); ok {
		return &protocols.SilenceError{Err: plain(e.Err), Advice: e.Advice}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return lobbywire.ErrTimeout
	}
	switch output.ErrorCode(err) {
	case output.ForbiddenCode, output.BusyCode, "usage", "skipped":
		return err // of this service, about the request
	case "invalid":
		if e, ok := errors.AsType[*lobbywire.Error](err); ok {
			return withoutReason(e)
		}
		return lobbywire.ErrUnreadable
	case "lost":
		return lobbywire.ErrLost
	case "timeout":
		if errors.Is(err, lobbywire.ErrChallengeOnly) {
			return lobbywire.ErrChallengeOnly
		}
		return lobbywire.ErrTimeout
	case "refused":
		return syscall.ECONNREFUSED
	case "unreachable":
		return syscall.EHOSTUNREACH
	case "name":
		return nameError(err)
	case "closed":
		return &kindError{"the connection ended early", io.ErrUnexpectedEOF}
	case "denied":
		return &proposalnet.LobbyError{}
	}
	if e, ok := errors.AsType[*wzhttpnet.Error](err); ok {
		return &kindError{text: "the lobby refuses with status " + strconv.Itoa(e.Status)}
	}
	if errors.As(err, new(*gamespy2net.MasterError)) || errors.As(err, new(*gamespy1net.MasterError)) {
		return &kindError{text: "the master refuses"}
	}
	return errNoAnswer
}

// withoutReason returns an error of a codec with its kind alone: a reason may contain a number from
// the input, which reveals its bytes.
func withoutReason(e *lobbywire.Error) error {
	plain := *e
	plain.Err = lobbywire.ErrInvalid
	for _, kind := range []error{
		lobbywire.ErrTruncated, lobbywire.ErrTrailing, lobbywire.ErrTooLarge, lobbywire.ErrUnsupported,
	} {
		if errors.Is(e, kind) {
			plain.Err = kind
		}
	}
	return &plain
}

// nameError returns the error for a name that was not found, without the resolver and its
// answer.
func nameError(err error) error {
	plain := &net.DNSError{Err: "no such host"}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		plain.Name, plain.IsNotFound = dns.Name, dns.IsNotFound
		if !dns.IsNotFound {
			plain.Err = "not resolved"
		}
	}
	return plain
}
