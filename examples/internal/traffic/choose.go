package traffic

import (
	"fmt"
	"slices"

	"github.com/lobbywire/lobbywire/examples/internal/formats"
)

// A Choice is the guessed format of a message about which nothing else is known.
type Choice struct {
	formats.Format // without a name if nothing explains the message
	Options        formats.Options
	Or             []string // names of other formats that explain it as well
	Doubt          string   // why the choice may be wrong, "" if it is not in doubt
}

// Choose returns the format that explains b best. A format that accepts almost any bytes, or
// accepts only their start, does not explain b without further evidence.
func Choose(b []byte, o formats.Options) Choice {
	if name := foreign(b); name != "" {
		return Choice{Options: o, Doubt: "it looks like " + name + ", a protocol that is not in the library"}
	}
	guesses := GuessFormat(b, o)
	if len(b) == 0 || len(guesses) == 0 || guesses[0].isWeak() {
		return Choice{Options: o, Doubt: "it looks like no message of the library"}
	}
	best := guesses[0]
	c := Choice{Format: best.Format, Options: best.Options}
	switch {
	case !best.whole:
		c.Doubt = fmt.Sprintf("in doubt: no message accepts all bytes, and %s the first %d of %d", c.Name, best.reach, len(b))
	case best.doubt > 1, best.doubt > 0 && !best.strict:
		c.Doubt = "in doubt: " + c.Name + " accepts much other data, too"
	}
	for _, g := range guesses {
		if g.Accepts() && g.AsGoodAs(best) && g.Name != c.Name && !slices.Contains(c.Or, g.Name) {
			c.Or = append(c.Or, g.Name)
		}
	}
	return c
}

// isWeak reports whether a guess is not better than none.
func (g Guess) isWeak() bool {
	if g.whole {
		return g.doubt > 1 && !g.strict
	}
	return g.doubt > 0 || g.reach < 2
}
