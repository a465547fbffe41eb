package wzjson

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// A ListAck answers a [List].
//
//wire:message Message command=list-ack
type ListAck struct {
	Games   []Game                     `wire:"games,should=whole"` // in no order; may be empty
	Skipped int                        // games that decoding has left out, because they cannot be read
	Extra   map[string]json.RawMessage // unknown members of the query
	Envelope
}

// wholeFault is the reason for refusing to encode a list.
const wholeFault wire.Invalid = "lacks games that were left out"

// whole reports whether no game was skipped.
func (m *ListAck) whole() bool { return m.Skipped == 0 }

// decode leaves out invalid games and counts them in Skipped. A list that is missing or
// null is empty. With Options.Strict it refuses both.
func (m *ListAck) decode(r *wire.Reader, o Options) {
	j := wirejson.NewReader(r)
	m.Games = []Game{}
	required := uint32(0b11)
	if !o.Strict {
		required = 0b01
	}
	for e := openEnvelope(r, &j, o, &m.Envelope); e.next(); {
		members := j.Object(listAckMembers[:], required, &m.Extra)
		for members.Next() {
			if members.Index() == 1 {
				m.decodeGames(&j, o)
			} else if string(j.View()) != commandListAck {
				j.Refuse("is not " + commandListAck)
			}
		}
	}
}

func (m *ListAck) decodeGames(j *wirejson.Reader, o Options) {
	a := j.ArrayOrNull(o.Strict)
	m.Games = make([]Game, 0, a.Room(minGame))
	for a.Next() {
		m.Games = append(m.Games, Game{})
		m.Games[len(m.Games)-1].decode(j, o, o.Strict)
		if !o.Strict && a.LeaveOut() {
			m.Games = m.Games[:len(m.Games)-1]
			m.Skipped++
		}
	}
}
