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

func rateLimited(message string, after time.Duration) *Error {
	return &Error{Status: http.StatusTooManyRequests, Code: wzhttp.CodeRateLimited, Message: message, RetryAfter: after}
}

func badRequest(message string) *Error {
	return &Error{Status: http.StatusBadRequest, Code: codeBadRequest, Message: message}
}

var (
	errNotReady     = rateLimited("The lobby is starting.", retryLater)
	errRate         = rateLimited("There were too many requests from your address.", retrySoon)
	errManyGames    = rateLimited("There are too many new games from your network.", retryLater)
	errNotHere      = rateLimited("The game is not known here yet.", retryLater)
	errBusy         = rateLimited("The lobby is busy.", retryLater)
	errUnknownPath  = &Error{Status: http.StatusNotFound, Code: codeNotFound, Message: "This lobby has no such page."}
	errGameNotFound = &Error{Status: http.StatusNotFound, Code: wzhttp.CodeGameNotFound, Message: "There is no such game."}
	errToken        = &Error{Status: http.StatusUnauthorized, Code: codeUnauthorized, Message: "The token is not that of the game."}
	errUnsupported  = &Error{Status: http.StatusNotAcceptable, Code: codeUnsupported, Message: "This lobby does not know such connections."}
	errDuplicate    = &Error{Status: http.StatusConflict, Code: codeDuplicate, Message: "The game has such a connection already."}
	errLongRequest  = &Error{Status: http.StatusRequestEntityTooLarge, Code: codeBadRequest, Message: "The request is too long."}
	errIncomplete   = badRequest("The request is not complete.")
	errClient       = badRequest("The address of the client is not known: the proxy has not named it.")
	errLongMods     = badRequest("The mods of the game are too long.")
)

// refusalOf returns the answer to a request that has failed.
func refusalOf(err error) *Error {
	var refused *Error
	var malformed *lobbywire.Error
	switch {
	case errors.As(err, &refused):
		return refused
	case errors.As(err, &malformed) && malformed.Field != "":
		return badRequest("The request is wrong at " + strconv.Quote(refusal.Shown(malformed.Field, refusal.MaxText)) + ".")
	case malformed != nil:
		return badRequest("The request cannot be read.")
	case errors.Is(err, warzonegames.ErrGone):
		return errGameNotFound
	}
	return &Error{Status: http.StatusForbidden, Code: codeNotListed, Message: refusal.Text(err)}
}

// Error returns the status, the code, and the start of the message in Go's quotes.
func (e *Error) Error() string {
	text := "wzhttpnet: the lobby refuses: " + strconv.Itoa(e.Status)
	for _, s := range []string{e.Code, e.Message} {
		if s != "" {
			text += " " + strconv.Quote(refusal.Shown(s, refusal.MaxText))
		}
	}
	return text
}

// complete returns the error with the fields that an answer needs. It replaces a Status
// that is not an error status, which would admit the player or be invalid.
func (e *Error) complete() *Error {
	c := *e
	if c.Status < http.StatusBadRequest || c.Status > http.StatusNetworkAuthenticationRequired {
		c.Status = http.StatusForbidden
	}
	c.Code = cmp.Or(c.Code, wzhttp.CodeGeneric)
	return &c
}
