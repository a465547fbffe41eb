package web

import (
	"fmt"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// The size of a drawing, as in chart.js.
const (
	chartWidth  = 480
	chartHeight = 72
)

// A chart is the drawing of a history for pages without scripts.
type chart struct {
	Area, Line string // paths; "" without points
	Label      string // what a reader hears
	Most       int
}

// drawn returns the drawing of points: the start and height of each span.
func drawn(what string, s catalogue.Scale, points []catalogue.Point, value func(catalogue.Point) int) chart {
	end := time.Now()
	most := 1
	for _, p := range points {
		most = max(most, value(p))
	}
	x := func(at time.Time) float64 {
		return min(chartWidth, max(0, chartWidth*(1-float64(end.Sub(at))/float64(s.Length()))))
	}
	put := func(b []byte, step byte, n float64) []byte {
		return strconv.AppendFloat(append(b, step), n, 'f', 1, 64)
	}
	var area, line []byte
	var last time.Time
	for _, p := range points {
		until := p.Time.Add(s.Span())
		y := chartHeight - 3 - (chartHeight-8)*float64(value(p))/float64(most)
		step := byte('M') // after a gap
		if !p.Time.After(last) {
			step = 'L'
		}
		line = put(line, step, x(p.Time))
		line = put(line, ' ', y)
		line = put(line, 'L', x(until))
		line = put(line, ' ', y)
		area = put(area, 'M', x(p.Time))
		area = put(area, ' ', chartHeight)
		area = put(area, 'V', y)
		area = put(area, 'H', x(until))
		area = append(put(area, 'V', chartHeight), 'Z')
		last = until
	}
	label := what + ": no history yet"
	if len(points) > 0 {
		label = fmt.Sprintf("%s over the last %s: at most %d", what, scaleNames[s], most)
	}
	return chart{string(area), string(line), label, most}
}

func serversOf(p catalogue.Point) int { return p.Servers }
func playersOf(p catalogue.Point) int { return p.Players }

// agoOf returns when a scale begins, for readers.
func agoOf(s catalogue.Scale) string {
	return [...]string{catalogue.Day: "24 h ago", catalogue.Week: "7 days ago", catalogue.Month: "30 days ago"}[s]
}
