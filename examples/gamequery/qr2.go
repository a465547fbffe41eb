package main

import (
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

func qr2Formats() []format {
	return datagrams(qr2Messages(newUnknown("qr2.Unknown", func(raw []byte) qr2.Unknown { return qr2.Unknown{Raw: raw} }, qr2.ExplainToMaster)))
}

func qr2Options(o options) qr2.Options { return qr2.Options{Strict: o.strict} }
