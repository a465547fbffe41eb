package wzhttp

import "encoding/json"

// A Captcha is the Data of an [Error] with [CodeCaptchaRequired]. The client repeats
// its [JoinRequest] with a [CaptchaAnswer].
//
//wire:message object
type Captcha struct {
	// CaptchaText, CaptchaSlide or CaptchaDragDrop; the game shows others as errors
	Type  string                     `wire:"type"`
	Token string                     `wire:"token"` // repeated in the answer
	Data  CaptchaData                `wire:"data"`
	Extra map[string]json.RawMessage // unknown members
}

// The types of a [Captcha].
const (
	CaptchaText     = "captcha"  // a text to read
	CaptchaSlide    = "slide"    // a tile to move sideways
	CaptchaDragDrop = "dragdrop" // a tile to move
)

// CaptchaData holds the images of a [Captcha]. Only CaptchaText needs no tile.
//
//wire:object
type CaptchaData struct {
	Image      *Image                     `wire:"image,omitzero"`
	Tile       *Image                     `wire:"tile,omitzero"`
	TileWidth  *uint32                    `wire:"tile_width,omitzero"` // in pixels, like the others
	TileHeight *uint32                    `wire:"tile_height,omitzero"`
	TileX      *uint32                    `wire:"tile_x,omitzero"` // initial position of the tile
	TileY      *uint32                    `wire:"tile_y,omitzero"`
	Extra      map[string]json.RawMessage // unknown members
}

// An Image is a picture of a [Captcha].
//
//wire:object
type Image struct {
	Type  string                     `wire:"type"` // ImagePNG, ImageJPG or ImageJPEG
	Data  string                     `wire:"data"` // the file in base64
	Extra map[string]json.RawMessage // unknown members
}

// The types of an [Image].
const (
	ImagePNG  = "png"
	ImageJPG  = "jpg"
	ImageJPEG = "jpeg"
)

// A CaptchaAnswer is a player's answer to a [Captcha].
//
//wire:object
type CaptchaAnswer struct {
	Response CaptchaResponse            `wire:"response"`
	Token    string                     `wire:"token"` // of the Captcha
	Extra    map[string]json.RawMessage // unknown members
}

// A CaptchaResponse is a text or, for a [Captcha] with a tile, the position of
// the tile.
//
//wire:object
type CaptchaResponse struct {
	Result *string                    `wire:"result,omitzero"` // the text
	X      *int64                     `wire:"x,omitzero"`      // the position, in pixels
	Y      *int64                     `wire:"y,omitzero"`
	Extra  map[string]json.RawMessage // unknown members
}
