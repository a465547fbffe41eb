package entries

import (
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/internal/messagejson"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Warzone returns the form of games of all Warzone lobbies.
func Warzone() *Form[warzonegames.Entry, uint32] {
	return &Form[warzonegames.Entry, uint32]{
		Family:  catalogue.Warzone,
		Key:     func(e warzonegames.Entry) uint32 { return e.ID },
		ID:      numberID[uint32],
		ParseID: parseNumberID[uint32],
		Seen:    func(e *warzonegames.Entry) *time.Time { return &e.Seen },
		Expires: func(e *warzonegames.Entry) *time.Time { return &e.Expires },
		Encode: func(e warzonegames.Entry) []byte {
			e.Game.Host, e.Game.GameID, e.Withheld = "", 0, false
			body, _ := messagejson.Marshal(e) // does not fail
			return body
		},
		Decode: func(id uint32, body []byte) (e warzonegames.Entry, ok bool) {
			if messagejson.Unmarshal(body, &e) != nil {
				return warzonegames.Entry{}, false
			}
			e.ID = id
			return e, true
		},
	}
}
