package traffic

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/sqp"
)

// A Guess is a possible format of a message, and the options to read it.
type Guess struct {
	formats.Format
	Options formats.Options

	whole, strict bool // the format accepts all bytes, also strictly
	reach         int  // number of bytes that it accepts
	fields        int  // that explain them
	doubt         int  // how much other data looks the same
}

// GuessFormat returns the formats that can explain b, a message or a stream about which nothing
// else is known, the best first. If none accepts all bytes, it returns the formats that accept
// the most.
func GuessFormat(b []byte, o formats.Options) []Guess {
	var all []Guess
	for _, f := range guessable() {
		for _, v := range variants(f.Name, o) {
			g := guess(f.Format, b, v)
			g.doubt = f.doubt
			if g.whole || g.reach > 0 {
				all = append(all, g)
			}
		}
	}
	slices.SortStableFunc(all, Guess.compare)
	return all
}

// A candidate is a format of a service, or of none.
type candidate struct {
	formats.Format
	doubt int // 1 for messages of plain services and of none, 2 for anyBytes
}

// Formats that accept almost any bytes: numbers, lines or frames without a layout.
var anyBytes = []string{"warzone.LobbyStream", "wztext.Frame", "wztext.Stream", "wzbinary.Frame", "sb2.ClientStream",
	"filter.Filter"}

// Formats of answers that cannot be read without the request.
var notGuessed = []string{"gamespy2.Values", "sb2.Answer", formats.Sb2MasterStream}

// guessable returns all formats in the order of the services. Formats without a service are last.
func guessable() (all []candidate) {
	seen := make(map[string]bool)
	add := func(f formats.Format, doubt int) {
		if !seen[f.Name] && !isUnknown(f.Name) && !slices.Contains(notGuessed, f.Name) {
			seen[f.Name] = true
			if slices.Contains(anyBytes, f.Name) {
				doubt = 2
			}
			all = append(all, candidate{f, doubt})
		}
	}
	for _, s := range Services() {
		for _, f := range named(slices.Concat(s.Requests, s.Answers)) {
			doubt := 0
			if s.plain {
				doubt = 1
			}
			add(f, doubt)
		}
	}
	for _, f := range formats.All() {
		add(f, 1)
	}
	return all
}

// variants returns options to try for a format, the likely ones first.
func variants(name string, o formats.Options) []formats.Options {
	all := []formats.Options{o}
	switch name {
	case "sqp.QueryResponse":
		for c := sqp.Chunks(1); c <= sqp.AllChunks; c++ {
			if c != o.Chunks {
				v := o
				v.Chunks = c
				all = append(all, v)
			}
		}
		slices.SortStableFunc(all[1:], func(a, b formats.Options) int {
			return bits.OnesCount8(uint8(a.Chunks)) - bits.OnesCount8(uint8(b.Chunks))
		})
	case "gamespy2.Request":
		v := o
		v.Challenge = !o.Challenge
		all = append(all, v)
	case "gamespy2.Response", "gamespy1.Status":
		v := o
		v.Part = !o.Part
		all = append(all, v)
	}
	return all
}

// guess tries a format.
func guess(f formats.Format, b []byte, o formats.Options) Guess {
	g := Guess{Format: f, Options: o}
	s := capture.Sent{Data: b}
	r := try(f, s, o)
	g.whole, g.reach = r.whole && r.reach == len(b), r.reach // a stream may lack its end
	if !g.whole {
		return g
	}
	o.Strict = true
	g.strict = try(f, s, o).whole
	_ = f.Sections(b, o, func(s formats.Section) error {
		g.fields += len(s.Fields)
		return nil
	})
	return g
}

// compare orders guesses, the better one first.
func (g Guess) compare(other Guess) int {
	return cmp.Or(
		preferred(g.whole, other.whole),
		preferred(g.strict, other.strict),
		cmp.Compare(g.doubt, other.doubt),
		cmp.Compare(other.reach, g.reach),
		cmp.Compare(other.fields, g.fields),
	)
}

// AsGoodAs reports whether a guess is as likely as another one, ignoring the number of fields.
func (g Guess) AsGoodAs(other Guess) bool {
	return g.whole == other.whole && g.strict == other.strict && g.doubt == other.doubt
}

// preferred orders true before false.
func preferred(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// Accepts reports whether the format accepts all bytes.
func (g Guess) Accepts() bool { return g.whole }
