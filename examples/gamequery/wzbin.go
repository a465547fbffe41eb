package main

import (
	"slices"

	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

func wzbinFormats() []format {
	requests := []format{
		newMessage("wzbin.List", "client asks for the games",
			with(wzbinOptions, wzbin.Options.ParseList), wzbin.ExplainList),
		newMessage("wzbin.OpenGame", "host announces a game",
			with(wzbinOptions, wzbin.Options.ParseOpenGame), wzbin.ExplainOpenGame),
		newMessage("wzbin.StartGame", "host starts its game",
			with(wzbinOptions, wzbin.Options.ParseStartGame), wzbin.ExplainStartGame),
		newMessage("wzbin.CloseGame", "host ends its game",
			with(wzbinOptions, wzbin.Options.ParseCloseGame), wzbin.ExplainCloseGame),
	}
	responses := []format{
		newMessage("wzbin.GameList", "answer to a list request, all messages",
			with(wzbinOptions, wzbin.Options.ParseGameList), wzbin.ExplainGameList),
		newMessage("wzbin.Done", "answer to the other requests",
			with(wzbinOptions, wzbin.Options.ParseDone), wzbin.ExplainDone),
		newMessage("wzbin.Error", "answer to a request that is refused",
			with(wzbinOptions, wzbin.Options.ParseError), wzbin.ExplainError),
	}
	unknown := newMessage("wzbin.Unknown", "a message with another command",
		func(b []byte, _ options) (wzbin.Unknown, error) {
			m, err := wzbin.ParseFrame(b)
			return wzbin.Unknown(m), err
		}, wzbin.ExplainFrame)
	all := slices.Concat(requests, responses, []format{unknown})
	return slices.Concat(all, []format{
		newMessage("wzbin.Count", "first message of a list",
			with(wzbinOptions, wzbin.Options.ParseCount), wzbin.ExplainCount),
		newMessage("wzbin.Game", "one game of a list",
			with(wzbinOptions, wzbin.Options.ParseGame), wzbin.ExplainGame),
		newMessage("wzbin.Frame", "any message, cut into payloads",
			plain(wzbin.ParseFrame), wzbin.ExplainFrame),
		newChoice("wzbin.Request", "any request",
			with(wzbinOptions, wzbin.Options.ParseRequest), wzbin.ExplainRequest,
			slices.Concat(requests, []format{unknown})),
		newChoice("wzbin.Response", "any answer",
			with(wzbinOptions, wzbin.Options.ParseResponse), wzbin.ExplainResponse,
			slices.Concat(responses, []format{unknown})),
		newStream("wzbin.Stream", "either direction of a connection", "wzbin",
			func(rest []byte, o options) (int, format, error) { return cutWZBin(all, rest, o) },
			all),
	})
}

func wzbinOptions(o options) wzbin.Options { return wzbin.Options{Strict: o.strict} }

// cutWZBin cuts a message, or the messages of a list.
func cutWZBin(all []format, rest []byte, o options) (size int, f format, err error) {
	f, _ = find(all, wzbinName(wzbin.Command(rest[0])))
	if f.name != "wzbin.GameList" {
		_, after, err := wzbin.NextFrame(rest)
		return len(rest) - len(after), f, err
	}
	_, after, err := wzbinOptions(o).NextResponse(rest)
	return len(rest) - len(after), f, err
}

// wzbinName returns what a command makes a message.
func wzbinName(c wzbin.Command) string {
	switch c {
	case wzbin.CommandList:
		return "wzbin.List"
	case wzbin.CommandOpenGame:
		return "wzbin.OpenGame"
	case wzbin.CommandStartGame:
		return "wzbin.StartGame"
	case wzbin.CommandCloseGame:
		return "wzbin.CloseGame"
	case wzbin.CommandCount:
		return "wzbin.GameList"
	case wzbin.CommandDone:
		return "wzbin.Done"
	case wzbin.CommandError:
		return "wzbin.Error"
	}
	return "wzbin.Unknown"
}
