package formats

import (
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

func qr2Formats() []Format {
	return datagrams(qr2Messages(newUnknown("qr2.Unknown",
		func(raw []byte) encoder { return qr2.Unknown{Raw: raw} }, qr2.ExplainToMaster)))
}

func qr2Options(o Options) qr2.Options { return qr2.Options{Strict: o.Strict} }
