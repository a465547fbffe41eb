package wzhttp

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Captcha is the Data of an [Error] with [CodeCaptchaRequired]. The client repeats
// its [JoinRequest] with a [CaptchaAnswer].
//
//wire:message object
type Captcha struct {
	Type  string                     `wire:"type"`  // CaptchaText, CaptchaSlide or CaptchaDragDrop; the game shows others as errors
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

// CaptchaData has the images of a [Captcha]. Only CaptchaText has no tile.
//
//wire:object
type CaptchaData struct {
	Image      *Image                     `wire:"image,image,omitzero"`
	Tile       *Image                     `wire:"tile,image,omitzero"`
	TileWidth  *uint32                    `wire:"tile_width,omitzero"` // in pixels, like the others
	TileHeight *uint32                    `wire:"tile_height,omitzero"`
	TileX      *uint32                    `wire:"tile_x,omitzero"` // where the tile starts
	TileY      *uint32                    `wire:"tile_y,omitzero"`
	Extra      map[string]json.RawMessage // unknown members
}

// An Image is a picture of a [Captcha].
type Image struct {
	Type  string                     // ImagePNG, ImageJPG or ImageJPEG
	Data  string                     // the file in base64
	Extra map[string]json.RawMessage // unknown members
}

// The types of an [Image].
const (
	ImagePNG  = "png"
	ImageJPG  = "jpg"
	ImageJPEG = "jpeg"
)

// imageMembers are the members of Image.
var imageMembers = [...]string{"type", "data"}

// decodeImage reads an image.
func decodeImage(j *wire.JSON, _ Options) Image {
	var m Image
	for o := j.Object(imageMembers[:], 0b11, &m.Extra); o.Next(); {
		switch o.Index() {
		case 0: // type
			m.Type = j.Text()
		case 1: // data
			m.Data = j.Text()
		}
	}
	return m
}

// appendImage appends an image.
func appendImage(w *wire.Writer, field string, m Image) {
	w.Text(`{"type":`)
	w.JSONText(field+".type", m.Type)
	w.Text(`,"data":`)
	w.JSONText(field+".data", m.Data)
	w.JSONExtra(m.Extra, imageMembers[:])
	w.Text("}")
}
