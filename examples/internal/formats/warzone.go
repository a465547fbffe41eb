package formats

import (
	"errors"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
)

// warzoneRequest is the name of the format of any request.
const warzoneRequest = "warzone.Request"

func warzoneFormats() []Format {
	all := warzoneMessages()
	request, _ := Find(all, warzoneRequest)
	requests := request.Codec.(choice).members
	gameID, _ := Find(all, "warzone.GameIDReply")
	status, _ := Find(all, "warzone.Status")
	return append(all,
		Format{Name: "warzone.HostStream", Doc: "all that a client sends to a lobby", Codec: Stream{
			proto:   "warzone",
			open:    func(o Options) cutter { return cutHostStream(o, requests) },
			members: requests,
		}},
		Format{Name: "warzone.LobbyStream", Doc: "all that a lobby sends to a host: a GameIDReply, then a Status each",
			Codec: Stream{
				proto:   "warzone",
				open:    func(o Options) cutter { return cutLobbyStream(o, gameID, status) },
				members: members{gameID, status},
			}},
	)
}

func warzoneOptions(o Options) warzone.Options { return warzone.Options{Strict: o.Strict} }

// cutHostStream returns the cutter for data that a client sends. The meaning of a
// request may depend on earlier ones, so each is decoded when it is cut.
func cutHostStream(o Options, requests []Format) cutter {
	s := warzone.HostStream{Options: warzoneOptions(o)}
	explain := warzone.ExplainRequest
	var end error
	return func(rest []byte) (int, Format, error) {
		if end != nil {
			return 0, Format{}, end
		}
		m, after, err := s.NextRequest(rest)
		f := newChoice(warzoneRequest, "", func([]byte, Options) (encoder, error) { return m, err }, explain,
			requests)
		switch {
		case errors.Is(err, lobbywire.ErrTruncated) && len(after) == 0:
			return len(rest), Format{}, nil // line ends behind the last request
		case err != nil:
			return 0, f, err
		}
		switch m := m.(type) {
		case warzone.Unknown:
			end = &lobbywire.Error{Proto: "warzone", Err: lobbywire.ErrUnsupported}
		case warzone.AddGame:
			if m.Game.Layout == warzone.Layout20 || m.Game.Layout == warzone.Layout21 {
				explain = explainRecord // only updates follow
			}
		}
		return len(rest) - len(after), f, nil
	}
}

// explainRecord explains an update from a client that sends no commands before it.
func explainRecord(b []byte) lobbywire.Explanation {
	e := warzone.Explain[warzone.Game](b)
	for i := range e.Fields {
		e.Fields[i].Name = "game." + e.Fields[i].Name
	}
	return e
}

// cutLobbyStream returns the cutter for the data from a lobby to a host.
func cutLobbyStream(o Options, gameID, status Format) cutter {
	s := warzone.LobbyStream{Options: warzoneOptions(o)}
	return func(rest []byte) (int, Format, error) {
		f := status
		if !s.HasGameID {
			f = gameID
		}
		_, after, err := s.NextResponse(rest)
		return len(rest) - len(after), f, err
	}
}
