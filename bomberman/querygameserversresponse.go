package bomberman

import (
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// QueryGameServersResponse is the list of a management server. Unless Strict,
// decoding keeps servers that break the rules; see [Server.Check].
//
//wire:message Message command=msRQueryGameServers
type QueryGameServersResponse struct {
	Servers []Server `wire:"servers,should=whole"` // in no order; may be empty

	// Skipped is the number of entries that decoding has left out, because they cannot be
	// read: a member is missing or has another type, or a text is not UTF-8.
	Skipped int

	Envelope
}

// wholeFault is the reason for refusing to encode a list.
const wholeFault wire.Invalid = "lacks entries that were left out"

// whole reports whether no entry was skipped.
func (m *QueryGameServersResponse) whole() bool { return m.Skipped == 0 }

// decode leaves out invalid entries and counts them in Skipped. A list that is missing
// or null is empty. With Options.Strict it refuses both.
func (m *QueryGameServersResponse) decode(r *wire.Reader, o Options) {
	j := wirejson.NewReader(r)
	m.Servers = []Server{}
	required := uint32(0b1)
	if !o.Strict {
		required = 0
	}
	for e := openEnvelope(r, &j, o, commandQueryGameServersResponse, !o.Strict, &m.Envelope); e.next(); {
		members := j.Object(queryGameServersResponseMembers[:], required, &m.Extra)
		for members.Next() {
			m.decodeServers(&j, o)
		}
	}
}

func (m *QueryGameServersResponse) decodeServers(j *wirejson.Reader, o Options) {
	a := j.ArrayOrNull(o.Strict)
	m.Servers = make([]Server, 0, a.Room(minServer))
	for a.Next() {
		m.Servers = append(m.Servers, Server{})
		m.Servers[len(m.Servers)-1].decode(j, o, o.Strict)
		if !o.Strict && a.LeaveOut() {
			m.Servers = m.Servers[:len(m.Servers)-1]
			m.Skipped++
		}
	}
}
