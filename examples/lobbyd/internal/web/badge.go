package web

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"net/http"
	"strconv"
)

// cachedFor lets browsers and the proxies of other sites keep a badge for a minute.
const cachedFor = "public, max-age=60"

// maxLabel is the maximum number of characters of a name on a badge.
const maxLabel = 40

// The colours of a badge; white text is readable on all.
const (
	labelPaint = "#3b424d"
	openPaint  = "#0a6b3c"
	fullPaint  = "#8a5600"
	awayPaint  = "#5b626c"
)

// serveBadge sends a picture of a server: its name and players, or that it is not listed.
// The status is always 200, since many sites show no picture otherwise.
func (s *Server) serveBadge(w http.ResponseWriter, r *http.Request) {
	label, status, paint := cmp.Or(s.Title, "lobbyd"), "not listed", awayPaint
	if e, found := s.Catalogue.Snapshot().Find(r.PathValue("id")); found && e.Quarantine == "" {
		shown := serverOf(e)
		label, status, paint = cmp.Or(shown.Name, "(no name)"), shown.CountPlayers(), openPaint
		if e.MaxPlayers > 0 && e.Players >= e.MaxPlayers {
			paint = fullPaint
		}
	}
	b := badge(shorten(Visible(label), maxLabel), status, paint)
	open(w.Header())
	w.Header().Set("Cache-Control", cachedFor)
	answerAs(w, r, "image/svg+xml", digest(b), bytes.NewReader(b))
}

// CountPlayers returns the number of players for readers, such as "3 of 8 players".
func (s server) CountPlayers() string {
	if s.Players == nil {
		return "listed"
	}
	text := strconv.Itoa(*s.Players)
	if s.MaxPlayers != nil {
		text += " of " + strconv.Itoa(*s.MaxPlayers)
	} else if *s.Players == 1 {
		return text + " player"
	}
	return text + " players"
}

// shorten cuts a text to a number of characters.
func shorten(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}

// badge returns the picture. The texts are stretched to their reserved width, whatever the
// font.
func badge(label, status, paint string) []byte {
	const pad, height = 8, 20
	left, right := textWidth(label), textWidth(status)
	middle := left + 2*pad
	whole := middle + right + 2*pad
	label, status = escape(label), escape(status)
	return fmt.Appendf(nil,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" role="img" aria-label="%[3]s: %[4]s">`+
			`<title>%[3]s: %[4]s</title>`+
			`<clipPath id="c"><rect width="%[1]d" height="%[2]d" rx="4"/></clipPath>`+
			`<g clip-path="url(#c)"><rect width="%[5]d" height="%[2]d" fill="%[6]s"/>`+
			`<rect x="%[5]d" width="%[7]d" height="%[2]d" fill="%[8]s"/></g>`+
			`<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`+
			`<text x="%[9]d" y="14" textLength="%[10]d" lengthAdjust="spacingAndGlyphs">%[3]s</text>`+
			`<text x="%[11]d" y="14" textLength="%[12]d" lengthAdjust="spacingAndGlyphs">%[4]s</text></g></svg>`,
		whole, height, label, status, middle, labelPaint, whole-middle, paint, pad, left, middle+pad, right)
}

func escape(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a Buffer accepts everything
	return b.String()
}

// textWidth estimates the width of a text in Verdana of 11 pixels.
func textWidth(text string) (tenths int) {
	for _, r := range text {
		switch {
		case r == ' ' || r == 'i' || r == 'l' || r == '.' || r == ',' || r == '\'' || r == 'I' || r == 'j':
			tenths += 38
		case r == 'm' || r == 'w' || r == 'M' || r == 'W' || r == '@':
			tenths += 105
		case r >= 0x2e80: // ideographs and emoji
			tenths += 125
		case r >= 'A' && r <= 'Z':
			tenths += 77
		default:
			tenths += 67
		}
	}
	return (tenths + 9) / 10
}
