package fit

import "sort"

// A List is a list of a View that may be shortened.
type List struct {
	Name string // "roster"
	Len  int
	Cut  func(n int) // keeps the first n entries, from 0 to Len
}

// Shorten shortens lists until fits returns true. It shortens the first list that suffices
// alone, or else as many lists as necessary, in order. The last shortened list keeps as
// many entries as fit. The last call of fits is for the result. Shorten returns false if
// even empty lists do not fit.
func (f *Fitter) Shorten(fits func() bool, lists ...List) bool {
	if fits() {
		return true
	}
	for _, l := range lists {
		l.Cut(0)
		if fits() {
			return f.keep(l, fits)
		}
		l.Cut(l.Len)
	}
	for _, l := range lists {
		l.Cut(0)
		if fits() {
			return f.keep(l, fits)
		}
		if l.Len > 0 {
			f.Change(l.Name)
		}
	}
	return false
}

// keep keeps as many entries of a list as fit. An empty list fits.
func (f *Fitter) keep(l List, fits func() bool) bool {
	f.Change(l.Name)
	tooMany := sort.Search(l.Len, func(n int) bool {
		l.Cut(n)
		return !fits()
	})
	l.Cut(max(tooMany-1, 0))
	return fits()
}
