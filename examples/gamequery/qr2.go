package main

import (
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

func qr2Formats() []format {
	return datagrams(qr2Messages(newMessage("qr2.Unknown", "any datagram, not taken apart", plain(parseUnknownQR2), explainUnknownQR2)))
}

func qr2Options(o options) qr2.Options { return qr2.Options{Strict: o.strict} }

// parseUnknownQR2 reads what [qr2.ToMaster] or [qr2.ToServer] found unknown.
func parseUnknownQR2(b []byte) (qr2.Unknown, error) {
	if len(b) == 0 {
		_, err := qr2.ParseToMaster(b)
		return qr2.Unknown{}, err
	}
	return qr2.Unknown{Raw: slices.Clone(b)}, nil
}

func explainUnknownQR2(b []byte) lobbywire.Explanation {
	if len(b) == 0 {
		return qr2.ExplainToMaster(b)
	}
	return lobbywire.Explanation{Fields: []lobbywire.Field{{Name: "raw", Length: len(b)}}}
}
