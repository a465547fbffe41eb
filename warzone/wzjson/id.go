package wzjson

import "github.com/lobbywire/lobbywire/internal/wire"

// decodeGameID reads the id of a game.
func decodeGameID(j *wire.JSON, _ Options) string {
	id := j.Text()
	if kind := idFault(id); kind != nil {
		j.Fail(kind)
	}
	return id
}

// appendGameID appends the id of a game.
func appendGameID(w *wire.Writer, field, id string) {
	if kind := idFault(id); kind != nil {
		w.Fail(kind, field)
	}
	w.JSONText(field, id)
}

// idFault returns why id is not the id of a game, or nil.
func idFault(id string) error {
	switch {
	case id == "":
		return wire.Invalid("missing")
	case len(id) > MaxID:
		return wire.Exceeded(len(id), MaxID)
	}
	return nil
}
