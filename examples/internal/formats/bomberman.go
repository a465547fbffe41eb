package formats

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/lobbywire/lobbywire/bomberman"
)

func bombermanFormats() []Format {
	all := bombermanMessages()
	message, _ := Find(all, "bomberman.Message")
	message.Doc = "any message, without its frame"
	messages := slices.DeleteFunc(all, func(f Format) bool { return f.Name == message.Name })
	framed := inFrames(messages,
		frame{cut: cutBomberman, fields: bomberman.ExplainFrame, append: bomberman.AppendFrame})
	anyFrame := newChoice("bomberman.Frame", "any message, in its frame",
		func(b []byte, o Options) (encoder, error) { return bombermanOptions(o).ParseFrame(b) },
		bomberman.ExplainFrame, framed)
	return append(framed,
		anyFrame, message,
		newStream("bomberman.Stream", "frames, either direction", "bomberman",
			func(rest []byte, o Options) (size int, f Format, err error) {
				size, payload, err := (&bomberman.Framer{Options: bombermanOptions(o)}).Split(rest, true)
				if err == nil && payload == nil {
					return size, Format{}, nil // white space at the end
				}
				f = anyFrame
				f.Name = bombermanName(payload)
				return size, f, err
			}, framed),
	)
}

func bombermanOptions(o Options) bomberman.Options { return bomberman.Options{Strict: o.Strict} }

// cutBomberman cuts the message out of a valid frame.
func cutBomberman(b []byte, o Options) (payload []byte, at int, err error) {
	if _, err := bombermanOptions(o).ParseFrame(b); err != nil {
		return nil, 0, err
	}
	framer := bomberman.Framer{Options: bombermanOptions(o)}
	payload, _, err = framer.Next(b)
	return payload, bytes.Index(b, payload), err
}

// bombermanName returns the format for the command of a message, even if the rest of
// the message is invalid.
func bombermanName(payload []byte) string {
	m, err := bomberman.PeekMessage(payload)
	if err != nil {
		return "bomberman.Frame"
	}
	return fmt.Sprintf("%T", m)
}
