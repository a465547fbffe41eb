package wzhttp

import "encoding/json"

// A Patch changes a game. Members that are nil stay unchanged. A Patch without
// members only keeps the game listed. The lobby answers with a [Status].
//
//wire:message object
type Patch struct {
	Version     *string                    `wire:"v,omitzero"`
	Netcode     *Netcode                   `wire:"netv,netcode,omitzero"`
	Name        *string                    `wire:"name,max=MaxRoomName,omitzero"`
	Host        *Player                    `wire:"host,omitzero"`
	Map         *Map                       `wire:"map,map,omitzero"`
	Mods        []Mod                      `wire:"mods,max=MaxMods,omitzero"` // empty but not nil: none
	Players     *Seats                     `wire:"players,omitzero"`
	Spectators  *Seats                     `wire:"specs,omitzero"`
	Alliances   *Alliances                 `wire:"ally,omitzero"`
	Blind       *Blind                     `wire:"blind,omitzero"`
	Limits      *Limits                    `wire:"lim,omitzero"`
	Private     *bool                      `wire:"private,omitzero"`
	JoinOptions *JoinOptions               `wire:"joinopts,omitzero"`
	Attestation *Attestation               `wire:"attest,omitzero"` // if the host's key has changed
	Extra       map[string]json.RawMessage // unknown members
}

// IsEmpty reports whether m has no members, so that it only keeps the game listed.
func (m Patch) IsEmpty() bool {
	return m.Version == nil && m.Netcode == nil && m.Name == nil && m.Host == nil && m.Map == nil && m.Mods == nil &&
		m.Players == nil && m.Spectators == nil && m.Alliances == nil && m.Blind == nil && m.Limits == nil &&
		m.Private == nil &&
		m.JoinOptions == nil && m.Attestation == nil && len(m.Extra) == 0
}
