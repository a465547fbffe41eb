package gamespy2net

import (
	"slices"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

// reported is the heartbeat for a State, or the reason why there is none.
type reported struct {
	qr2.Heartbeat
	err error
}

// makeReported returns the heartbeat for a State. It shares no memory with the tables.
func makeReported(info []gamespy2.KeyValue, players, teams gamespy2.Table) reported {
	m := qr2.Heartbeat{Info: info, Players: &players, Teams: &teams}
	isGameName := func(kv gamespy2.KeyValue) bool { return kv.Key == gamespy2.KeyGameName.String() }
	m.Info = slices.DeleteFunc(m.GameInfo(), isGameName) // as the other keys about the server itself
	b, err := m.MarshalBinary()
	if err != nil {
		m.Players, m.Teams = nil, nil // too long
		b, err = m.MarshalBinary()
	}
	if err == nil {
		m, err = qr2.ParseHeartbeat(b)
	}
	return reported{m, err}
}
