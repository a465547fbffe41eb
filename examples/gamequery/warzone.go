package main

import (
	"errors"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
)

func warzoneFormats() []format {
	requests := []format{
		warzoneRequest[warzone.GameIDRequest]("warzone.GameIDRequest", "host asks for the number of its game"),
		warzoneRequest[warzone.AddGame]("warzone.AddGame", "host lists a game"),
		warzoneRequest[warzone.Update]("warzone.Update", "host replaces its game"),
		warzoneRequest[warzone.Keep]("warzone.Keep", "host lives"),
		warzoneRequest[warzone.ListRequest]("warzone.ListRequest", "client asks for the games"),
		warzoneRequest[warzone.JoinRequest]("warzone.JoinRequest", "client asks a host for its game"),
		warzoneRequest[warzone.MOTDRequest]("warzone.MOTDRequest", "host asks for a greeting"),
		warzoneRequest[warzone.Unknown]("warzone.Unknown", "four bytes that are no command"),
	}
	gameID := newMessage("warzone.GameIDReply", "lobby gives a game its number",
		plain(warzone.ParseGameIDReply), warzone.Explain[warzone.GameIDReply])
	status := newMessage("warzone.Status", "lobby answers with a code and a text",
		with(warzoneOptions, warzone.Options.ParseStatus), warzone.Explain[warzone.Status])
	return append(requests,
		gameID, status,
		newMessage("warzone.ListReply", "lobby's games, all batches",
			with(warzoneOptions, warzone.Options.ParseListReply), warzone.Explain[warzone.ListReply]),
		newMessage("warzone.Game", "a game, in the form of any version",
			with(warzoneOptions, warzone.Options.ParseGame), warzone.Explain[warzone.Game]),
		newMessage("warzone.AliveRequest", "lobby asks a host whether it lives",
			plain(warzone.ParseAliveRequest), warzone.Explain[warzone.AliveRequest]),
		newMessage("warzone.AliveReply", "host's answer",
			plain(warzone.ParseAliveReply), warzone.Explain[warzone.AliveReply]),
		newChoice("warzone.Request", "any request, the first of a connection",
			with(warzoneOptions, warzone.Options.ParseRequest), warzone.ExplainRequest, requests),
		format{name: "warzone.HostStream", doc: "all that a client sends to a lobby", codec: stream{
			proto:   "warzone",
			open:    func(o options) cutter { return cutHostStream(o, requests) },
			members: requests,
		}},
		format{name: "warzone.LobbyStream", doc: "all that a lobby sends to a host: a GameIDReply, then a Status each", codec: stream{
			proto:   "warzone",
			open:    func(o options) cutter { return cutLobbyStream(o, gameID, status) },
			members: members{gameID, status},
		}},
	)
}

func warzoneOptions(o options) warzone.Options { return warzone.Options{Strict: o.strict} }

// warzoneRequest returns the format of one kind of request.
func warzoneRequest[T warzone.Request](name, doc string) format {
	parse := func(b []byte, o options) (T, error) {
		m, err := warzoneOptions(o).ParseRequest(b)
		v, ok := m.(T)
		if err == nil && !ok {
			err = &lobbywire.Error{Proto: "warzone", Field: "command", Err: lobbywire.ErrUnsupported}
		}
		return v, err
	}
	return format{name: name, doc: doc, codec: message[T]{
		parse: parse,
		fields: func(b []byte, o options) lobbywire.Explanation {
			e := warzone.ExplainRequest(b)
			if e.Err == nil {
				_, e.Err = parse(b, o) // a request, but another one
			}
			return e
		},
	}}
}

// cutHostStream returns the cutter for what a client sends. What a request is
// may depend on those before it, so each is read where it is cut.
func cutHostStream(o options, requests []format) cutter {
	s := warzone.HostStream{Options: warzoneOptions(o)}
	explain := warzone.ExplainRequest
	var end error
	return func(rest []byte) (int, format, error) {
		if end != nil {
			return 0, format{}, end
		}
		m, after, err := s.NextRequest(rest)
		f := newChoice("warzone.Request", "", func([]byte, options) (warzone.Request, error) { return m, err }, explain, requests)
		switch {
		case errors.Is(err, lobbywire.ErrTruncated) && len(after) == 0:
			return len(rest), format{}, nil // line ends behind the last request
		case err != nil:
			return 0, f, err
		}
		switch m := m.(type) {
		case warzone.Unknown:
			end = &lobbywire.Error{Proto: "warzone", Err: lobbywire.ErrUnsupported}
		case warzone.AddGame:
			if m.Game.Layout == warzone.Layout20 || m.Game.Layout == warzone.Layout21 {
				explain = explainRecord // nothing but updates follows
			}
		}
		return len(rest) - len(after), f, nil
	}
}

// explainRecord explains an update by a client that sends no commands before it.
func explainRecord(b []byte) lobbywire.Explanation {
	e := warzone.Explain[warzone.Game](b)
	for i := range e.Fields {
		e.Fields[i].Name = "game." + e.Fields[i].Name
	}
	return e
}

// cutLobbyStream returns the cutter for what a lobby sends to a host.
func cutLobbyStream(o options, gameID, status format) cutter {
	s := warzone.LobbyStream{Options: warzoneOptions(o)}
	return func(rest []byte) (int, format, error) {
		f := status
		if !s.HasGameID {
			f = gameID
		}
		_, after, err := s.NextResponse(rest)
		return len(rest) - len(after), f, err
	}
}
