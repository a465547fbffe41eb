package bomberman

import (
	"encoding"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// proto names the package in errors.
const proto = "bomberman"

// The commands, which tell what a message is. Answers have an R after the
// prefix.
const (
	CommandRegisterGameServer       = "msRegisterGameServer"
	CommandUpdateGameServerStats    = "msUpdateGameServerStats"
	CommandUnregisterGameServer     = "msUnregisterGameServer"
	CommandQueryGameServers         = "msQueryGameServers"
	CommandQueryGameServersResponse = "msRQueryGameServers"

	CommandHeartbeat              = "xxHeartbeat"
	CommandRegisterPlayer         = "gsRegisterPlayer"
	CommandRegisterPlayerResponse = "gsRRegisterPlayer"
	CommandPlayersUpdated         = "cPlayersUpdated"
	CommandConfigureArena         = "gsConfigureArena"
	CommandArenaUpdated           = "cArenaUpdated"
	CommandPlayerAction           = "gsPlayerAction"
	CommandRoundEndHighscore      = "cRoundEndHighscore"
)

// A Message is what a frame holds: one of the types of this package that have
// a Parse function of their own, or [Unknown].
//
// AppendBinary and MarshalBinary give the JSON object without a frame; see
// [AppendMessage].
type Message interface {
	encoding.BinaryAppender
	encoding.BinaryMarshaler
	message()
}

func (RegisterGameServer) message()       {}
func (UpdateGameServerStats) message()    {}
func (UnregisterGameServer) message()     {}
func (QueryGameServers) message()         {}
func (QueryGameServersResponse) message() {}
func (Heartbeat) message()                {}
func (RegisterPlayer) message()           {}
func (RegisterPlayerResponse) message()   {}
func (PlayersUpdated) message()           {}
func (ConfigureArena) message()           {}
func (ArenaUpdated) message()             {}
func (PlayerAction) message()             {}
func (RoundEndHighscore) message()        {}
func (Unknown) message()                  {}

// ParseMessage reads the payload of a frame, a JSON object, and returns one of
// the types that [Message] lists. White space around the object is ignored.
//
// A command that is not known gives an [Unknown]. So does a known one, unless
// Strict, if its content is neither an object nor null.
//
// An error is about this message only: the stream that it came from goes on
// with the next frame. Even ErrTruncated, which says that the object is cut
// short, does not mean that more will come. [ParseFrame] tells these apart.
func ParseMessage(payload []byte) (Message, error) { return Options{}.ParseMessage(payload) }

// ParseMessage reads the payload of a frame.
func (o Options) ParseMessage(payload []byte) (Message, error) {
	r := wire.NewReader(payload)
	m := decodeMessage(&r, o)
	if err := r.Err(proto); err != nil {
		return nil, err
	}
	return m, nil
}

// ExplainMessage accounts for every byte of the payload of a frame.
func ExplainMessage(payload []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Message", payload, func(r *wire.Reader) { decodeMessage(r, Options{}) })
}

// ParseFrame reads one whole frame, as [NextFrame] cuts and [ParseMessage]
// reads it. Here ErrTruncated always means that more of the frame has to come.
func ParseFrame(b []byte) (Message, error) { return Options{}.ParseFrame(b) }

// ParseFrame reads one whole frame.
func (o Options) ParseFrame(b []byte) (Message, error) {
	r := wire.NewReader(b)
	m := decodeFrame(&r, o)
	if err := r.Err(proto); err != nil {
		return nil, err
	}
	return m, nil
}

// ExplainFrame accounts for every byte of a frame.
func ExplainFrame(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Frame", b, func(r *wire.Reader) { decodeFrame(r, Options{}) })
}

func decodeFrame(r *wire.Reader, o Options) Message {
	f, bad := cutFrame(r.Peek(), o, o.maxPayload())
	if f.start > 0 {
		r.Text(f.start, "length")
	}
	if bad.kind != nil {
		r.Fail(bad.kind, bad.field, bad.at)
		return nil
	}
	outer := r.Enter(f.end-f.start, "message", f.start)
	m := decodeMessage(r, o)
	r.Leave(outer)
	r.Skip(f.next-f.end, "newline")
	r.End()
	return m
}

// decodeMessage reads what is a message by its command. Without one it fails
// as an Unknown does.
func decodeMessage(r *wire.Reader, o Options) Message {
	p := wire.NewReader(r.Peek())
	command, content, _ := peek(&p, true)
	if !o.Strict && content != 0 && content != '{' && content != 'n' {
		command = ""
	}
	switch command {
	case CommandRegisterGameServer:
		var m RegisterGameServer
		m.decode(r, o)
		return m
	case CommandUpdateGameServerStats:
		var m UpdateGameServerStats
		m.decode(r, o)
		return m
	case CommandUnregisterGameServer:
		var m UnregisterGameServer
		m.decode(r, o)
		return m
	case CommandQueryGameServers:
		var m QueryGameServers
		m.decode(r, o)
		return m
	case CommandQueryGameServersResponse:
		var m QueryGameServersResponse
		m.decode(r, o)
		return m
	case CommandHeartbeat:
		var m Heartbeat
		m.decode(r, o)
		return m
	case CommandRegisterPlayer:
		var m RegisterPlayer
		m.decode(r, o)
		return m
	case CommandRegisterPlayerResponse:
		var m RegisterPlayerResponse
		m.decode(r, o)
		return m
	case CommandPlayersUpdated:
		var m PlayersUpdated
		m.decode(r, o)
		return m
	case CommandConfigureArena:
		var m ConfigureArena
		m.decode(r, o)
		return m
	case CommandArenaUpdated:
		var m ArenaUpdated
		m.decode(r, o)
		return m
	case CommandPlayerAction:
		var m PlayerAction
		m.decode(r, o)
		return m
	case CommandRoundEndHighscore:
		var m RoundEndHighscore
		m.decode(r, o)
		return m
	}
	var m Unknown
	m.decode(r, o)
	return m
}

// PeekCommand returns the command of a message without reading more of it than
// it has to. So the rest of the message may be broken.
func PeekCommand(payload []byte) (string, error) {
	r := wire.NewReader(payload)
	command, _, found := peek(&r, false)
	if !found {
		return "", r.Err(proto)
	}
	return command, nil
}

// peek returns the command and, if wantContent, the first byte of the content,
// 0 if there is none. Whether it succeeds depends on the command alone.
func peek(r *wire.Reader, wantContent bool) (command string, content byte, found bool) {
	j := wire.NewJSON(r)
	o := j.Object(envelopeMembers[:], bare, nil)
	for o.Next() {
		switch o.Name() {
		case "command":
			command = nameOf(j.View())
			found = !r.Failed()
			if !wantContent || content != 0 {
				return command, content, found
			}
		case "content":
			content = j.Peek()
			if found {
				return command, content, found
			}
			j.Skip()
		}
	}
	return command, content, found
}

// nameOf returns p as a text, for which it allocates only if it is no command
// that is known.
func nameOf(p []byte) string {
	switch string(p) {
	case CommandRegisterGameServer:
		return CommandRegisterGameServer
	case CommandUpdateGameServerStats:
		return CommandUpdateGameServerStats
	case CommandUnregisterGameServer:
		return CommandUnregisterGameServer
	case CommandQueryGameServers:
		return CommandQueryGameServers
	case CommandQueryGameServersResponse:
		return CommandQueryGameServersResponse
	case CommandHeartbeat:
		return CommandHeartbeat
	case CommandRegisterPlayer:
		return CommandRegisterPlayer
	case CommandRegisterPlayerResponse:
		return CommandRegisterPlayerResponse
	case CommandPlayersUpdated:
		return CommandPlayersUpdated
	case CommandConfigureArena:
		return CommandConfigureArena
	case CommandArenaUpdated:
		return CommandArenaUpdated
	case CommandPlayerAction:
		return CommandPlayerAction
	case CommandRoundEndHighscore:
		return CommandRoundEndHighscore
	}
	return string(p)
}
