package main

import (
	"bytes"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func wzjsonFormats() []format {
	var messages, framed []format
	add := func(f, framedForm format) {
		messages = append(messages, f)
		framed = append(framed, framedForm)
	}
	add(wzjsonMessage("wzjson.Add", "host announces a game",
		wzjson.Options.ParseAdd, wzjson.Explain[wzjson.Add]))
	add(wzjsonMessage("wzjson.AddAck", "lobby gives the game an id",
		wzjson.Options.ParseAddAck, wzjson.Explain[wzjson.AddAck]))
	add(wzjsonMessage("wzjson.Update", "host changes its game",
		wzjson.Options.ParseUpdate, wzjson.Explain[wzjson.Update]))
	add(wzjsonMessage("wzjson.List", "client asks for games",
		wzjson.Options.ParseList, wzjson.Explain[wzjson.List]))
	add(wzjsonMessage("wzjson.ListAck", "lobby's games",
		wzjson.Options.ParseListAck, wzjson.Explain[wzjson.ListAck]))
	add(wzjsonMessage("wzjson.Heartbeat", "host lives",
		wzjson.Options.ParseHeartbeat, wzjson.Explain[wzjson.Heartbeat]))
	add(wzjsonMessage("wzjson.Goodbye", "host ends its game",
		wzjson.Options.ParseGoodbye, wzjson.Explain[wzjson.Goodbye]))
	add(wzjsonMessage("wzjson.Ack", "lobby's answer to update, heartbeat and goodbye",
		wzjson.Options.ParseAck, wzjson.Explain[wzjson.Ack]))
	add(wzjsonMessage("wzjson.Error", "lobby refuses a request",
		wzjson.Options.ParseError, wzjson.Explain[wzjson.Error]))
	add(wzjsonMessage("wzjson.Unknown", "a message with another command",
		wzjson.Options.ParseUnknown, wzjson.Explain[wzjson.Unknown]))
	return append(messages,
		newChoice("wzjson.Message", "any message",
			with(wzjsonOptions, wzjson.Options.ParseMessage), wzjson.ExplainMessage, messages),
		newStream("wzjson.Stream", "either direction of a connection", "wzjson",
			func(rest []byte, o options) (int, format, error) { return cutWZJSON(framed, rest, o) },
			framed),
	)
}

func wzjsonOptions(o options) wzjson.Options { return wzjson.Options{Strict: o.strict} }

// wzjsonMessage returns the format of a message, and of one in a stream, where
// a newline follows.
func wzjsonMessage[M wzjson.Message](
	name, doc string,
	parse func(wzjson.Options, []byte) (M, error),
	explain func(b []byte) lobbywire.Explanation,
) (f, framed format) {
	f = newMessage(name, doc, with(wzjsonOptions, parse), explain)
	m := message[M]{
		parse:  with(wzjsonOptions, parse),
		fields: func(b []byte, _ options) lobbywire.Explanation { return explain(b) },
		frame:  wzjson.AppendFrame,
	}
	return f, format{name: name, doc: doc, codec: m}
}

// cutWZJSON cuts an object, with the white space before it and the line end
// after it.
func cutWZJSON(framed []format, rest []byte, o options) (size int, f format, err error) {
	size, payload, err := wzjsonOptions(o).SplitFrames(rest, true)
	switch {
	case err != nil:
		payload = rest
	case payload == nil:
		return size, format{}, nil // white space at the end
	}
	f, _ = find(framed, wzjsonName(payload))
	for _, end := range []string{"\n", "\r\n"} {
		if err == nil && bytes.HasPrefix(rest[size:], []byte(end)) {
			size += len(end)
			break
		}
	}
	return size, f, err
}

// wzjsonName returns what the command of a message makes it, whether or not the
// rest of it is valid.
func wzjsonName(payload []byte) string {
	// A message without a command is a broken Unknown.
	command, _ := wzjson.PeekCommand(payload)
	switch command {
	case wzjson.CommandAdd:
		return "wzjson.Add"
	case wzjson.CommandAddAck:
		return "wzjson.AddAck"
	case wzjson.CommandUpdate:
		return "wzjson.Update"
	case wzjson.CommandList:
		return "wzjson.List"
	case wzjson.CommandListAck:
		return "wzjson.ListAck"
	case wzjson.CommandHeartbeat:
		return "wzjson.Heartbeat"
	case wzjson.CommandGoodbye:
		return "wzjson.Goodbye"
	case wzjson.CommandUpdateAck, wzjson.CommandHeartbeatAck, wzjson.CommandGoodbyeAck:
		return "wzjson.Ack"
	case wzjson.CommandError:
		return "wzjson.Error"
	}
	return "wzjson.Unknown"
}
