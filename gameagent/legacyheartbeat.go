package gameagent

import (
	"math"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A LegacyHeartbeat tells a legacy master that a server is alive. A server sends
// it when it starts and every 150 seconds, and with StateChanged when a player
// has entered and when it ends.
//
//	\heartbeat\25601\gamename\serioussamse
//
//	\heartbeat\25601\gamename\serioussamse\statechanged
type LegacyHeartbeat struct {
	QueryPort    uint16 // of the server: its game port and 1
	GameName     string // "serioussamse"
	StateChanged bool
	Extra        []Pair // other keys, and further names
}

const stateChangedKey = "statechanged"

// ParseLegacyHeartbeat reads a [LegacyHeartbeat]. A value of statechanged, which
// the engine does not send, is ignored.
func ParseLegacyHeartbeat(b []byte) (LegacyHeartbeat, error) {
	r := wire.NewReader(b)
	var m LegacyHeartbeat
	m.decode(&r)
	if err := r.Err(proto); err != nil {
		return LegacyHeartbeat{}, err
	}
	return m, nil
}

// ExplainLegacyHeartbeat accounts for every byte of a [LegacyHeartbeat].
func ExplainLegacyHeartbeat(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "LegacyHeartbeat", b, func(r *wire.Reader) { new(LegacyHeartbeat).decode(r) })
}

func (m *LegacyHeartbeat) decode(r *wire.Reader) {
	decodeLiteral(r, `\heartbeat\`, "key")
	m.QueryPort = uint16(decodeDecimal(r, math.MaxUint16, slash, "queryPort"))
	named := false
	for r.Len() > 0 {
		if string(r.Peek()) == stateChangedKey {
			r.ViewWithin(0, r.Len(), 0, "stateChanged")
			m.StateChanged = true
			break
		}
		switch key := decodeUntil(r, slash, "key"); key {
		case stateChangedKey:
			r.TextUntil(slash, "ignored")
			m.StateChanged = true
		case "gamename":
			named = true
			name, _ := r.TextUntil(slash, "gameName")
			if !set(&m.GameName, name) {
				m.Extra = append(m.Extra, Pair{key, name})
			}
		default:
			r.In("extra", len(m.Extra))
			value, _ := r.TextUntil(slash, "value")
			m.Extra = append(m.Extra, Pair{key, value})
			r.In("", -1)
		}
	}
	if !named {
		r.Fail(lobbywire.ErrTruncated, "gameName", r.Offset())
	}
}

// AppendBinary appends the wire form to b. It refuses port 0, backslashes and
// zero bytes.
func (m LegacyHeartbeat) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	if m.QueryPort == 0 {
		w.Fail(lobbywire.ErrInvalid, "queryPort")
	}
	appendField(&w, slash, key{"heartbeat", "queryPort"}, &m.QueryPort, nil)
	appendField(&w, slash, key{"gamename", "gameName"}, &m.GameName, nil)
	appendExtra(&w, slash, m.Extra, func(key string) bool { return key == stateChangedKey })
	if m.StateChanged {
		w.Text(`\` + stateChangedKey)
	}
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m LegacyHeartbeat) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseLegacyHeartbeat] does.
func (m *LegacyHeartbeat) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseLegacyHeartbeat(b)
	return err
}
