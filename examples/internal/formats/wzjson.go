package formats

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func wzjsonFormats() []Format {
	all := wzjsonMessages()
	messages := slices.DeleteFunc(slices.Clone(all), func(f Format) bool { return f.Name == "wzjson.Message" })
	framed := inFrames(messages, frame{append: wzjson.AppendFrame})
	return append(all,
		newStream("wzjson.Stream", "either direction of a connection", "wzjson",
			func(rest []byte, o Options) (int, Format, error) { return cutWZJSON(framed, rest, o) },
			framed),
	)
}

func wzjsonOptions(o Options) wzjson.Options { return wzjson.Options{Strict: o.Strict} }

// cutWZJSON cuts an object with the white space before it and the line end after it.
func cutWZJSON(framed []Format, rest []byte, o Options) (size int, f Format, err error) {
	size, payload, err := (&wzjson.Framer{Options: wzjsonOptions(o)}).Split(rest, true)
	switch {
	case err != nil:
		payload = rest
	case payload == nil:
		return size, Format{}, nil // white space at the end
	}
	f, _ = Find(framed, wzjsonName(payload))
	for _, end := range []string{"\n", "\r\n"} {
		if err == nil && bytes.HasPrefix(rest[size:], []byte(end)) {
			size += len(end)
			break
		}
	}
	return size, f, err
}

// wzjsonName returns the format for the command of a message, even if the rest of the
// message is invalid.
func wzjsonName(payload []byte) string {
	m, err := wzjson.PeekMessage(payload)
	if err != nil { // without a command: a broken Unknown
		m = wzjson.Unknown{}
	}
	return fmt.Sprintf("%T", m)
}
