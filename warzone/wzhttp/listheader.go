package wzhttp

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A ListHeader is the first line of a list.
//
//wire:message Line
type ListHeader struct {
	MOTD  string                     // message of the day, at most MaxMOTD bytes
	Extra map[string]json.RawMessage // unknown members
}

// headerType is the type of a header line.
const headerType = "header"

// listHeaderMembers are the members of ListHeader.
var listHeaderMembers = [...]string{"type", "motd"}

func (m *ListHeader) decode(r *wire.Reader, o Options) {
	j := openObject(r, o)
	for members := j.Object(listHeaderMembers[:], 0b11, &m.Extra); members.Next(); {
		switch members.Index() {
		case 0: // type
			if string(j.View()) != headerType {
				j.Refuse("is not that of a header")
			}
		case 1: // motd
			m.MOTD = j.Text()
			if o.Strict && len(m.MOTD) > MaxMOTD {
				j.Fail(wire.Exceeded(len(m.MOTD), MaxMOTD))
			}
		}
	}
	j.End()
}

func (m *ListHeader) append(w *wire.Writer) {
	w.Text(`{"type":"` + headerType + `","motd":`)
	if len(m.MOTD) > MaxMOTD {
		w.Exceed("motd", len(m.MOTD), MaxMOTD)
	}
	w.JSONText("motd", m.MOTD)
	w.JSONExtra(m.Extra, listHeaderMembers[:])
	w.Text("}")
	closeObject(w)
}
