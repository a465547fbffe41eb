package wzjson

import "github.com/lobbywire/lobbywire/internal/wire/wirejson"

// A Tech is the technology level at which a game starts.
type Tech string

// The levels. Unless Strict, decoding keeps others.
const (
	TechT1 Tech = "T1"
	TechT2 Tech = "T2"
	TechT3 Tech = "T3"
)

// Valid reports whether t is one of the three levels.
func (t Tech) Valid() bool { return t == TechT1 || t == TechT2 || t == TechT3 }

// decodeTech reads a level.
func decodeTech(j *wirejson.Reader, o Options) Tech {
	t := Tech(j.Text())
	if o.Strict && !t.Valid() {
		j.Refuse("is not T1, T2 or T3")
	}
	return t
}
