package gameagent

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// LegacyBasicID is the QueryID that the engine gives a [LegacyBasic].
const LegacyBasicID = "1.1"

// A LegacyBasic answers the [LegacyRequest] for the basic keys: a part of what a
// [LegacyStatus] tells, in its form.
type LegacyBasic struct {
	GameName    string // key gamename
	GameVersion string // key gamever
	Location    string // "EU" from the engine
	Extra       []Pair // what has no place above, as in LegacyStatus
	QueryID     string // [LegacyBasicID]; "" is none
}

// ParseLegacyBasic reads a [LegacyBasic]. Keys may come in any order and may be
// missing.
func ParseLegacyBasic(b []byte) (LegacyBasic, error) {
	r := wire.NewReader(b)
	var m LegacyBasic
	m.decode(&r)
	if err := r.Err(proto); err != nil {
		return LegacyBasic{}, err
	}
	return m, nil
}

// ExplainLegacyBasic accounts for every byte of a [LegacyBasic].
func ExplainLegacyBasic(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "LegacyBasic", b, func(r *wire.Reader) { new(LegacyBasic).decode(r) })
}

func (m *LegacyBasic) decode(r *wire.Reader) {
	var a legacyAnswer
	fields := m.fields()
	a.decode(r, legacyBasicKeys[:], fields[:], false)
	m.Extra, m.QueryID = a.extra, a.queryID
}

// legacyBasicKeys are in the order in which the engine sends them.
var legacyBasicKeys = [...]key{
	{"gamename", "gameName"},
	{"gamever", "gameVersion"},
	{"location", "location"},
}

// fields are in the order of legacyBasicKeys.
func (m *LegacyBasic) fields() [3]any {
	return [...]any{
		&m.GameName, &m.GameVersion, &m.Location,
	}
}

// AppendBinary appends the wire form to b. It refuses backslashes, zero bytes,
// and more than [MaxPacket] bytes.
func (m LegacyBasic) AppendBinary(b []byte) ([]byte, error) {
	a, fields := legacyAnswer{extra: m.Extra, queryID: m.QueryID}, m.fields()
	return a.appendBinary(b, legacyBasicKeys[:], fields[:])
}

// MarshalBinary returns the wire form.
func (m LegacyBasic) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseLegacyBasic] does.
func (m *LegacyBasic) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseLegacyBasic(b)
	return err
}
