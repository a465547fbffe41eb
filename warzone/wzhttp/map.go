package wzhttp

import (
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Map is the map of a game.
type Map struct {
	Name string
	Hash string // SHA-256 of its file in 64 lower-case digits; "" for a map that the game contains
}

// decodeMap reads an array of two texts.
func decodeMap(j *wire.JSON, o Options) Map {
	var m Map
	a := j.Array()
	n := 0
	for ; a.Next(); n++ {
		switch n {
		case 0:
			m.Name = j.Text()
		case 1:
			m.Hash = decodeHash(j, o)
		default:
			j.Skip()
		}
	}
	checkPair(&a, n)
	return m
}

// appendMap appends an array of two texts.
func appendMap(w *wire.Writer, _ string, m Map) {
	w.Text("[")
	w.JSONText("map[0]", m.Name)
	w.Text(",")
	appendHash(w, "map[1]", m.Hash)
	w.Text("]")
}
