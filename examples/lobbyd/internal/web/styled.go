package web

import (
	"strings"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/colour"
)

// maxColours is the maximum number of colours in a name. Names with more are plain.
const maxColours = 64

// codesOf returns the colour codes in the texts of an entry.
func codesOf(e *catalogue.Entry) colour.Codes {
	switch {
	case e.Family == catalogue.GameAgent && e.Source == string(catalogue.GameAgent):
		return colour.SeriousSam
	case e.Family == catalogue.GameAgent:
		return colour.Legacy(e.Game)
	case e.Family == catalogue.GameSpy:
		return colour.Quake
	}
	return colour.None
}

// styled returns a text as brief does, and its parts with their colours, if it has any.
func styled(codes colour.Codes, text string) (plain string, colours [][2]string) {
	runs := codes.Of(text)
	plain = brief(colour.Join(runs))
	if len(runs) > maxColours {
		return plain, nil
	}
	var whole strings.Builder
	isColoured := false
	for _, r := range runs {
		part := Visible(r.Text)
		whole.WriteString(part)
		colours = append(colours, [2]string{part, r.Colour})
		isColoured = isColoured || r.Colour != ""
	}
	if !isColoured || whole.String() != plain { // it was cut, or a part starts with an accent
		return plain, nil
	}
	return plain, colours
}
