package main

import (
	"bytes"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire/warzone/wztext"
)

func wztextFormats() []format {
	requests := []format{
		newMessage("wztext.List", "client asks for the games",
			with(wztextOptions, wztext.Options.ParseList), wztext.ExplainList),
		newMessage("wztext.OpenGame", "host announces a game",
			with(wztextOptions, wztext.Options.ParseOpenGame), wztext.ExplainOpenGame),
		newMessage("wztext.StartGame", "host starts its game",
			with(wztextOptions, wztext.Options.ParseStartGame), wztext.ExplainStartGame),
		newMessage("wztext.CloseGame", "host ends its game",
			with(wztextOptions, wztext.Options.ParseCloseGame), wztext.ExplainCloseGame),
	}
	responses := []format{
		newMessage("wztext.GameList", "answer to a list request, all lines",
			with(wztextOptions, wztext.Options.ParseGameList), wztext.ExplainGameList),
		newMessage("wztext.Done", "answer to the other requests",
			with(wztextOptions, wztext.Options.ParseDone), wztext.ExplainDone),
		newMessage("wztext.Error", "answer to a request that is refused",
			with(wztextOptions, wztext.Options.ParseError), wztext.ExplainError),
	}
	unknown := newMessage("wztext.Unknown", "a line with another first word",
		func(b []byte, o options) (wztext.Unknown, error) {
			m, err := wztextOptions(o).ParseFrame(b)
			return wztext.Unknown(m), err
		}, wztext.ExplainFrame)
	all := slices.Concat(requests, responses, []format{unknown})
	return slices.Concat(all, []format{
		newMessage("wztext.Count", "first line of a list",
			with(wztextOptions, wztext.Options.ParseCount), wztext.ExplainCount),
		newMessage("wztext.Game", "one line of a list",
			with(wztextOptions, wztext.Options.ParseGame), wztext.ExplainGame),
		newMessage("wztext.Frame", "any line, cut into columns",
			with(wztextOptions, wztext.Options.ParseFrame), wztext.ExplainFrame),
		newChoice("wztext.Request", "any request",
			with(wztextOptions, wztext.Options.ParseRequest), wztext.ExplainRequest,
			slices.Concat(requests, []format{unknown})),
		newChoice("wztext.Response", "any answer",
			with(wztextOptions, wztext.Options.ParseResponse), wztext.ExplainResponse,
			slices.Concat(responses, []format{unknown})),
		newStream("wztext.Stream", "either direction of a connection", "wztext",
			func(rest []byte, o options) (int, format, error) { return cutWZText(all, rest, o) },
			all),
	})
}

func wztextOptions(o options) wztext.Options { return wztext.Options{Strict: o.strict} }

// cutWZText cuts a line, or the lines of a list.
func cutWZText(all []format, rest []byte, o options) (size int, f format, err error) {
	f, _ = find(all, wztextName(rest, o))
	if f.name != "wztext.GameList" {
		_, after, err := wztext.NextFrame(rest, wztext.MaxLine)
		return len(rest) - len(after), f, err
	}
	_, after, err := wztextOptions(o).NextResponse(rest)
	return len(rest) - len(after), f, err
}

// wztextName returns what the first word of a line makes it.
func wztextName(line []byte, o options) string {
	end := bytes.IndexAny(line[:min(len(line), wztext.MaxLine)], "\t \r\n")
	word := string(line[:max(end, 0)])
	if !o.strict {
		word = strings.ToUpper(word)
	}
	switch word {
	case "LIST":
		return "wztext.List"
	case "OPENGAME":
		return "wztext.OpenGame"
	case "STARTGAME":
		return "wztext.StartGame"
	case "CLOSEGAME":
		return "wztext.CloseGame"
	case "COUNT":
		return "wztext.GameList"
	case "DONE":
		return "wztext.Done"
	case "ERROR":
		return "wztext.Error"
	}
	return "wztext.Unknown"
}
