package gamespy1

import (
	"bytes"
	"math"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Heartbeat keeps a server listed at a master. A server sends one
// when it starts and every 150 seconds. It sets StateChanged when a player has
// joined and when the server stops. Games with GameSpy's own code set ShuttingDown
// when they stop.
//
//	\heartbeat\25601\gamename\serioussamse
//
//	\heartbeat\25601\gamename\serioussamse\statechanged
//
//	\heartbeat\7778\gamename\ut\statechanged\2
//
//wire:message ToMaster
type Heartbeat struct {
	QueryPort    uint16 `wire:"queryPort,key=heartbeat"` // the game port plus 1; 0 if the master has to know it
	GameName     string `wire:"gameName,key=gamename"`   // "serioussamse"
	StateChanged bool   // the state has changed: the key statechanged, which has a value in other games
	ShuttingDown bool   // the server stops: the key has the value 2; implies StateChanged
	Extra        []Pair // other keys, and repeated game names
}

// heartbeatKey starts a Heartbeat.
const heartbeatKey = `\heartbeat\`

// The key of a change, and its value when the server stops.
const (
	stateChangedKey = "statechanged"
	shuttingDown    = "2"
)

// blanks are bytes that some games send before numbers or at the end of a message.
const blanks = " \t\r\n\x00"

// decode requires the game name. It ignores values of statechanged other than 2, and blanks
// before the port, around that value and at the end.
func (m *Heartbeat) decode(r *wire.Reader, _ Options) {
	port, game := heartbeatKeys[0], heartbeatKeys[1]
	pairs.DecodeLiteral(r, heartbeatKey, "key")
	r.Skip(r.Len()-len(bytes.TrimLeft(r.Peek(), blanks)), "blanks")
	m.QueryPort = uint16(pairs.DecodeDecimal(r, math.MaxUint16, slash, port.Name))
	named := false
	for r.Len() > 0 {
		last := bytes.TrimRight(r.Peek(), blanks)
		if string(last) == stateChangedKey {
			r.ViewWithin(0, len(last), r.Len()-len(last), "stateChanged")
			m.StateChanged = true
			break
		}
		if len(last) == 0 {
			r.Skip(r.Len(), "blanks")
			break
		}
		switch key := r.TextBefore(slash, "key"); key {
		case stateChangedKey:
			value, _ := r.TextUntil(slash, "stateChanged")
			m.StateChanged = true
			m.ShuttingDown = m.ShuttingDown || strings.Trim(value, blanks) == shuttingDown
		case game.Wire:
			named = true
			name, _ := r.TextUntil(slash, game.Name)
			if m.GameName == "" {
				m.GameName = name
			} else {
				m.Extra = append(pairs.Room(m.Extra, r.Len()), Pair{Key: key, Value: name})
			}
		default:
			decodeExtra(r, &m.Extra, key)
			r.In("", -1)
		}
	}
	if !named {
		r.Fail(lobbywire.ErrTruncated, game.Name, r.Offset())
	}
}

// append fails if ShuttingDown is set without StateChanged, if a text contains a
// backslash or a zero byte, or if Extra holds a key that decoding does not put there.
func (m *Heartbeat) append(w *wire.Writer) {
	fields, game := m.fields(), heartbeatKeys[1]
	w.Text(heartbeatKey)
	w.Int(int64(m.QueryPort)) // also 0
	pairs.AppendFields(w, slash, heartbeatKeys[1:], fields[1:])
	pairs.AppendExtra(w, slash, m.Extra, func(p Pair) bool {
		return p.Key == stateChangedKey || p.Key == game.Wire && m.GameName == ""
	})
	if m.StateChanged {
		w.Text(`\` + stateChangedKey)
	}
	switch {
	case m.ShuttingDown && m.StateChanged:
		w.TextAfter(slash, shuttingDown)
	case m.ShuttingDown:
		w.Refuse("shuttingDown", "without stateChanged")
	}
}
