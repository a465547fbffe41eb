package traffic

import (
	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
)

// Fits reports whether a datagram is an answer of a server of a protocol and, if it is not,
// whether it at least begins like one.
func Fits(protocol string, datagram []byte) (whole, begins bool) {
	for _, d := range Services() {
		if d.Stream || d.Protocol != protocol {
			continue
		}
		for _, name := range d.Answers {
			f, ok := formats.Named(name)
			if !ok {
				continue
			}
			r := try(f, capture.Sent{Data: datagram}, formats.DefaultOptions())
			whole = whole || r.whole
			begins = begins || r.fits() || r.reach > 0
		}
	}
	return whole, begins
}
