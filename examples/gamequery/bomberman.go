package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/lobbywire/lobbywire/bomberman"
)

func bombermanFormats() []format {
	all := bombermanMessages()
	message, _ := find(all, "bomberman.Message")
	message.doc = "any message, without its frame"
	messages := slices.DeleteFunc(all, func(f format) bool { return f.name == message.name })
	framed := inFrames(messages, frame{cut: cutBomberman, fields: bomberman.ExplainFrame, append: bomberman.AppendFrame})
	anyFrame := newChoice("bomberman.Frame", "any message, in its frame",
		with(bombermanOptions, bomberman.Options.ParseFrame), bomberman.ExplainFrame, framed)
	return append(framed,
		anyFrame, message,
		newStream("bomberman.Stream", "frames, either direction", "bomberman",
			func(rest []byte, o options) (size int, f format, err error) {
				size, payload, err := (&bomberman.Framer{Options: bombermanOptions(o)}).Split(rest, true)
				if err == nil && payload == nil {
					return size, format{}, nil // white space at the end
				}
				f = anyFrame
				f.name = bombermanName(payload)
				return size, f, err
			}, framed),
	)
}

func bombermanOptions(o options) bomberman.Options { return bomberman.Options{Strict: o.strict} }

// cutBomberman cuts the message out of a valid frame.
func cutBomberman(b []byte, o options) (payload []byte, at int, err error) {
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
