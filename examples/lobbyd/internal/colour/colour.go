// Package colour reads the colour codes in texts of games.
package colour

import (
	"strconv"
	"strings"
)

// Codes are the colour codes that a game uses in its texts.
type Codes int

// The codes.
const (
	None Codes = iota

	// SeriousSam has the codes of the Serious Engine: ^cRRGGBB sets a colour, ^r ends all
	// formats, ^o does so until the end of a name, and other letters change weight,
	// slant, opacity and flashing. ^^ is a circumflex.
	SeriousSam

	// Quake has the codes of Quake III and Minecraft, which games of GameSpy use: ^ and a
	// digit, or § and a letter or digit.
	Quake
)

// Legacy returns the codes of a game that registers in the legacy form of GameAgent.
func Legacy(game string) Codes {
	if strings.HasPrefix(strings.ToLower(game), "serioussam") {
		return SeriousSam
	}
	return Quake
}

// A Run is a part of a text in one colour.
type Run struct {
	Text   string
	Colour string // "#rrggbb", or "" for the colour of plain text
}

// Of returns the parts of a text, which contain no codes.
func (c Codes) Of(text string) []Run {
	if c == None || !strings.ContainsAny(text, "^§") {
		return []Run{{Text: text}}
	}
	read := quake
	if c == SeriousSam {
		read = seriousSam
	}
	var p painter
	for len(text) > 0 {
		n, colour := read(text)
		switch {
		case n == 0:
			p.text.WriteByte(text[0])
			n = 1
		case colour == circumflex:
			p.text.WriteByte('^')
		case colour != unchanged:
			p.set(colour)
		}
		text = text[n:]
	}
	p.set("")
	return p.runs
}

// Plain returns a text without its codes.
func (c Codes) Plain(text string) string { return Join(c.Of(text)) }

// Join returns the whole text of runs.
func Join(runs []Run) string {
	var b strings.Builder
	for _, r := range runs {
		b.WriteString(r.Text)
	}
	return b.String()
}

// A painter collects the runs of a text.
type painter struct {
	runs   []Run
	colour string
	text   strings.Builder
}

// set ends the current run.
func (p *painter) set(colour string) {
	if p.text.Len() > 0 {
		p.runs = append(p.runs, Run{p.text.String(), p.colour})
		p.text.Reset()
	}
	p.colour = colour
}

// The effects of codes that set no colour.
const (
	unchanged  = "unchanged"
	circumflex = "^" // stands for the character
)

// white is the colour of plain text in games.
const white = "#ffffff"

// hex returns a colour, if text is one in six digits.
func hex(text string) (colour string, ok bool) {
	if _, err := strconv.ParseUint(text, 16, 24); err != nil || len(text) != 6 {
		return "", false
	}
	colour = "#" + strings.ToLower(text)
	if colour == white {
		colour = ""
	}
	return colour, true
}
