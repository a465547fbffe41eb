package wzhttp

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// A Created answers a [Create]. Both tokens are secrets of the host and the lobby.
//
//wire:message object
type Created struct {
	// chosen by the lobby, see ValidID
	GameID string `wire:"gameId,nonEmpty,max=MaxID,should=ValidID"`
	// authorizes the host, see Authorization
	HostToken string `wire:"hostToken,nonEmpty,should=validToken"`
	// the lobby sends it in a Probe
	LobbyToken string `wire:"lobbyToken"`
	// shown to the host once the game is listed
	MOTD string `wire:"motd,max=MaxMOTD,omitzero"`
	// names of the JoinOptions that the lobby supports; nil if it does not send them
	JoinOptions []string                   `wire:"hostJoinOpts,names,omitzero"`
	Extra       map[string]json.RawMessage // unknown members
}

// decodeNames reads an array of texts. Unless Strict is set, it ignores any other
// value, as the game does.
func decodeNames(j *wirejson.Reader, o Options) []string {
	if c := j.Peek(); c != '[' && c != 0 && !o.Strict {
		j.Skip()
		return nil
	}
	all := []string{}
	for a := j.Array(); a.Next(); {
		all = append(all, j.Text())
	}
	return all
}

// appendNames appends an array of texts.
func appendNames(w *wire.Writer, field string, all []string) {
	appendArray(w, field, all, wirejson.AppendText)
}
