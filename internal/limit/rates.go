package limit

import (
	"cmp"

	"github.com/lobbywire/lobbywire"
)

// Rates are the rates of a Limiter.
type Rates struct {
	PerSource Rate
	PerPrefix Rate // the zero Rate does not limit
	Global    Rate
}

// RatesOf returns limits, with the defaults for zero fields. The default for a prefix is
// never below the rate of a source.
func RatesOf(limits, defaults lobbywire.Rates) Rates {
	if defaults.PerPrefix > 0 {
		defaults.PerPrefix = max(defaults.PerPrefix, limits.PerSource)
	}
	return Rates{
		PerSource: rate(limits.PerSource, defaults.PerSource),
		PerPrefix: rate(limits.PerPrefix, defaults.PerPrefix),
		Global:    rate(limits.Global, defaults.Global),
	}
}

// rate returns n a second after as many at once, with byDefault for a zero n.
func rate(n, byDefault int) Rate {
	perSecond := int64(cmp.Or(n, byDefault))
	return Rate{PerSecond: perSecond, Burst: perSecond}
}

// scales are the rates of a Limiter as it uses them.
type scales struct {
	source    scale
	prefix    scale
	prefix56  scale
	all       scale
	strangers scale  // what sources of other prefixes than the proven take from all
	several   scale  // what they take for several events of AllowSome
	prefixes  *table // nil if no rate limits prefixes
}

// newScales returns the scales of rates. The total keeps a part for proven prefixes if
// reserves is set. The buckets of prefixes are those in before, if there are any.
func newScales(r Rates, reserves bool, before *table) *scales {
	s := &scales{source: r.PerSource.scale(), all: r.Global.scale()}
	s.strangers = s.all
	if reserves {
		s.strangers = s.all.leaving(r.Global.Burst / 4)
	}
	s.several = s.all.leaving(r.Global.Burst / 2)
	if r.PerPrefix != (Rate{}) {
		s.prefix, s.prefix56 = r.PerPrefix.scale(), r.PerPrefix.half().scale()
		s.prefixes = before
		if before == nil {
			s.prefixes = new(table)
		}
	}
	return s
}
