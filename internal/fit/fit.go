// Package fit makes a [lobbywire.View] fit a protocol, and remembers the fields that it
// has changed. SetView of all helpers uses it, so that all have the same rules; the
// documentation of package lobbywire describes them.
package fit

import (
	"strconv"

	"github.com/lobbywire/lobbywire"
)

// A Fitter fits the fields of one View. Its zero value is ready.
type Fitter struct {
	// Changed are the fields that were changed, with their names in the JSON form of
	// a View, such as "map" or "roster[2].name".
	Changed []string
}

// A Field is a field of a View or of an entry of one of its lists.
type Field struct {
	Name  string // "name"
	List  string // "roster"; "" for a field of the View itself
	Index int    // in List
}

// String returns the name of the field, such as "roster[2].name".
func (f Field) String() string {
	if f.List == "" {
		return f.Name
	}
	return f.List + "[" + strconv.Itoa(f.Index) + "]." + f.Name
}

// Text returns s as the rule allows it.
func (f *Fitter) Text(at Field, s string, rule Rule) string {
	fitted := rule.Fit(s)
	if fitted != s {
		f.Change(at.String())
	}
	return fitted
}

// Number returns the number from low to high that is nearest to n. An unknown number is 0.
func (f *Fitter) Number(at Field, n *int, low, high int) int {
	if n == nil {
		return 0
	}
	fitted := max(low, min(high, *n))
	if fitted != *n {
		f.Change(at.String())
	}
	return fitted
}

// Counts returns [lobbywire.View.Counts], each at most high.
func (f *Fitter) Counts(v *lobbywire.View, high int) (players, places int) {
	players, places = v.Counts()
	players, places = min(players, high), min(places, high)
	if v.Players != nil && *v.Players != players {
		f.Change("players")
	}
	if v.Max != nil && *v.Max != places {
		f.Change("max")
	}
	return players, places
}

// Change adds a field to Changed.
func (f *Fitter) Change(field string) { f.Changed = append(f.Changed, field) }
