package wzhttpnet

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// statusOf returns the HTTP status of an answer that is not an error.
func statusOf(e wzhttp.Endpoint) int {
	switch e {
	case wzhttp.EndpointCreate:
		return http.StatusCreated
	case wzhttp.EndpointConnection:
		return http.StatusAccepted
	}
	return http.StatusOK
}

// isMalformed reports whether an error is about the form of a request or its token.
func (e *Error) isMalformed() bool {
	switch e.Status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusRequestEntityTooLarge:
		return true
	}
	return false
}

// write sends an error.
func (e *Error) write(w http.ResponseWriter) {
	if e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((e.RetryAfter+time.Second-1)/time.Second)))
	}
	// The body is empty if AdmitJoin returned an invalid error.
	body, _ := wzhttp.Error{Code: e.Code, Message: e.Message, Data: e.Data}.AppendBinary(nil)
	write(w, e.Status, body)
}

func write(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", wzhttp.AcceptJSON)
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	w.Write(body)
}

// refusalOf returns the answer to a failed request.
func refusalOf(err error) *Error {
	var refused *Error
	var malformed *lobbywire.Error
	switch {
	case errors.As(err, &refused):
		return refused
	case errors.As(err, &malformed) && malformed.Field != "":
		field := refusal.Shown(malformed.Field, refusal.MaxText)
		return badRequest("The request is wrong at " + strconv.Quote(field) + ".")
	case malformed != nil:
		return badRequest("The request cannot be read.")
	case errors.Is(err, warzonegames.ErrGone):
		return errGameNotFound
	}
	return refusalWith(http.StatusForbidden, codeNotListed, refusal.Text(err))
}

// complete returns the error with the fields that an answer needs. It replaces a Status
// that is not an error status, because it would admit the player or be invalid.
func (e *Error) complete() *Error {
	c := *e
	if c.Status < http.StatusBadRequest || c.Status > http.StatusNetworkAuthenticationRequired {
		c.Status = http.StatusForbidden
	}
	c.Code = cmp.Or(c.Code, wzhttp.CodeGeneric)
	return &c
}

// Codes of errors that only this lobby sends. The game shows them unchanged.
const (
	codeBadRequest   = "BAD_REQUEST"
	codeNotFound     = "NOT_FOUND"
	codeUnauthorized = "UNAUTHORIZED"
	codeDuplicate    = "CONNECTION_EXISTS"
	codeUnsupported  = "CONNECTION_NOT_SUPPORTED"
	codeNotListed    = "GAME_NOT_LISTED"
)

// Times after which a request may be repeated.
const (
	retrySoon  = time.Second
	retryLater = 5 * time.Second
)

var (
	errNotReady     = rateLimited("The lobby is starting.", retryLater)
	errRate         = rateLimited("There were too many requests from your address.", retrySoon)
	errManyGames    = rateLimited("There are too many new games from your network.", retryLater)
	errNotHere      = rateLimited("The game is not known here yet.", retryLater)
	errBusy         = rateLimited("The lobby is busy.", retryLater)
	errUnknownPath  = refusalWith(http.StatusNotFound, codeNotFound, "This lobby has no such page.")
	errGameNotFound = refusalWith(http.StatusNotFound, wzhttp.CodeGameNotFound, "There is no such game.")
	errToken        = refusalWith(http.StatusUnauthorized, codeUnauthorized, "The token is not for this game.")
	errUnsupported  = refusalWith(http.StatusNotAcceptable, codeUnsupported,
		"This lobby does not know such connections.")
	errDuplicate   = refusalWith(http.StatusConflict, codeDuplicate, "The game has such a connection already.")
	errLongRequest = refusalWith(http.StatusRequestEntityTooLarge, codeBadRequest, "The request is too long.")
	errIncomplete  = badRequest("The request is not complete.")
	errClient      = badRequest("The address of the client is not known: the proxy has not named it.")
	errLongMods    = badRequest("The mods of the game are too long.")
)

func rateLimited(message string, after time.Duration) *Error {
	return &Error{Status: http.StatusTooManyRequests, Code: wzhttp.CodeRateLimited, Message: message, RetryAfter: after}
}

func badRequest(message string) *Error {
	return refusalWith(http.StatusBadRequest, codeBadRequest, message)
}

func refusalWith(status int, code, message string) *Error {
	return &Error{Status: status, Code: code, Message: message}
}
