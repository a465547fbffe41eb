package wzhttpnet

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
)

// An Error is the refusal of a lobby.
type Error struct {
	Status     int             // of HTTP
	Code       string          // such as wzhttp.CodeGameNotFound
	Message    string          // for people; it can be any text, so quote it before showing it
	Data       json.RawMessage // with wzhttp.CodeCaptchaRequired, a wzhttp.Captcha
	RetryAfter time.Duration   // the time after which to retry, or 0; a Client returns at most a day
}

// Unwrap returns [lobbywire.ErrRefused].
func (e *Error) Unwrap() error { return lobbywire.ErrRefused }

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
