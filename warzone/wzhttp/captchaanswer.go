package wzhttp

import (
	"encoding/json"
	"math"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A CaptchaAnswer is a player's answer to a [Captcha].
//
//wire:object
type CaptchaAnswer struct {
	Response CaptchaResponse            `wire:"response,response"`
	Token    string                     `wire:"token"` // of the Captcha
	Extra    map[string]json.RawMessage // unknown members
}

// A CaptchaResponse is a text or, for a [Captcha] with a tile, the position of
// the tile.
type CaptchaResponse struct {
	Result *string                    // the text
	X, Y   *int64                     // the position, in pixels
	Extra  map[string]json.RawMessage // unknown members
}

// responseMembers are the members of CaptchaResponse.
var responseMembers = [...]string{"result", "x", "y"}

// decodeResponse reads a response.
func decodeResponse(j *wire.JSON, _ Options) CaptchaResponse {
	var m CaptchaResponse
	for o := j.Object(responseMembers[:], 0, &m.Extra); o.Next(); {
		switch o.Index() {
		case 0: // result
			m.Result = new(j.Text())
		case 1: // x
			m.X = new(decodePixels(j))
		case 2: // y
			m.Y = new(decodePixels(j))
		}
	}
	return m
}

// decodePixels reads a coordinate.
func decodePixels(j *wire.JSON) int64 { return j.Int(math.MinInt64, math.MaxInt64, false) }

// appendResponse appends a response.
func appendResponse(w *wire.Writer, field string, m CaptchaResponse) {
	w.Text("{")
	if m.Result != nil {
		w.JSONName("result")
		w.JSONText(field+".result", *m.Result)
	}
	if m.X != nil {
		w.JSONName("x")
		w.Int(*m.X)
	}
	if m.Y != nil {
		w.JSONName("y")
		w.Int(*m.Y)
	}
	w.JSONExtra(m.Extra, responseMembers[:])
	w.Text("}")
}
