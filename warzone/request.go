package warzone

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// proto names the package in errors.
const proto = "warzone"

// A Request is what a lobby receives: [GameIDRequest], [AddGame], [Update],
// [Keep], [ListRequest], [JoinRequest], [MOTDRequest] or [Unknown].
//
// All but Update and Unknown start with a command: four letters and a byte
// that is 0.
type Request interface {
	AppendBinary(b []byte) ([]byte, error)
	MarshalBinary() ([]byte, error)
	request()
}

func (GameIDRequest) request() {}
func (AddGame) request()       {}
func (Update) request()        {}
func (Keep) request()          {}
func (ListRequest) request()   {}
func (JoinRequest) request()   {}
func (MOTDRequest) request()   {}
func (Unknown) request()       {}

// ParseRequest reads one request, the first of a connection: later ones depend
// on what came before, so take a [HostStream] for them.
//
// Commands in capital letters, with another last byte or without it, and
// CR, LF and zero bytes around a request are accepted.
func ParseRequest(b []byte) (Request, error) { return Options{}.ParseRequest(b) }

// ParseRequest reads one request as the function of that name does.
func (o Options) ParseRequest(b []byte) (Request, error) {
	r := wire.NewReader(b)
	m := decodeRequest(&r, o)
	if err := r.Err(proto); err != nil {
		return nil, err
	}
	return m, nil
}

// ExplainRequest accounts for every byte of a request.
func ExplainRequest(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Request", b, func(r *wire.Reader) { decodeRequest(r, Options{}) })
}

func decodeRequest(r *wire.Reader, o Options) Request {
	if !o.Strict {
		r.Skip(strays(r.Peek()), "ignored")
	}
	m := readRequest(r, o)
	if !o.Strict {
		r.Skip(blanks(r.Peek()), "ignored")
	}
	r.End()
	return m
}

// strays returns how many bytes come before the next request. Zero bytes can
// also be the start of a game, so the last three are not told yet.
func strays(p []byte) int {
	for i, c := range p {
		switch {
		case c != 0 && c != '\r' && c != '\n':
			return i
		case c == 0 && (len(p)-i < 4 || isVersionWord(p[i:])):
			return i
		}
	}
	return len(p)
}

// blanks returns how many bytes of p come before one that has a meaning.
func blanks(p []byte) int {
	for i, c := range p {
		if c != 0 && c != '\r' && c != '\n' {
			return i
		}
	}
	return len(p)
}

// A command is four letters, in the spelling that clients use.
type command string

// The commands.
const (
	commandAddGame command = "addg"
	commandGameID  command = "gaId"
	commandJoin    command = "join"
	commandKeep    command = "keep"
	commandList    command = "list"
	commandMOTD    command = "motd"
)

// commandLetters is how many letters a command has.
const commandLetters = 4

// commandOf returns the command in p, its letters, or "".
func (o Options) commandOf(p []byte) command {
	for _, c := range [...]command{
		commandAddGame, commandGameID, commandJoin, commandKeep, commandList, commandMOTD,
	} {
		if string(p) == string(c) || !o.Strict && isSpelled(p, c) {
			return c
		}
	}
	return ""
}

// isSpelled tells whether p is the letters of c, large or small.
func isSpelled(p []byte, c command) bool {
	const small = 0x20 // the bit that small letters have and large ones lack
	for i := range commandLetters {
		if p[i]|small != c[i]|small {
			return false
		}
	}
	return true
}

// needed returns how many bytes are needed of a request that starts with p, to
// read or to refuse it. With fewer it returns what is needed to tell.
func (o Options) needed(p []byte) int {
	const next = CommandSize + 4
	switch {
	case len(p) < commandLetters:
		return commandLetters
	case isVersionWord(p):
		return o.neededForGame(p)
	}
	switch c := o.commandOf(p[:commandLetters]); {
	case c == commandAddGame && len(p) < next:
		return next
	case c == commandAddGame:
		return CommandSize + o.neededForGame(p[CommandSize:])
	case c != "" && o.Strict:
		return CommandSize
	}
	return commandLetters
}

// readRequest reads a request of which nothing is known.
func readRequest(r *wire.Reader, o Options) Request {
	p := r.Peek()
	if isVersionWord(p) {
		return readUpdate(r, o, o.layoutOf(p))
	}
	p = r.ViewWithin(0, commandLetters, 0, "command")
	if r.Failed() {
		return nil
	}
	c := o.commandOf(p)
	if c == "" {
		return Unknown{Command: string(p)}
	}
	if at := r.Offset(); r.Len() > 0 || o.Strict || c == commandAddGame {
		if last := r.Uint8("commandEnd"); last != 0 && o.Strict {
			r.Fail(lobbywire.ErrInvalid, "commandEnd", at)
		}
	}
	switch c {
	case commandAddGame:
		var m AddGame
		r.In("game", -1)
		m.Game.decode(r, o, o.layoutOf(r.Peek()))
		r.In("", -1)
		return m
	case commandGameID:
		return GameIDRequest{}
	case commandJoin:
		return JoinRequest{}
	case commandKeep:
		return Keep{}
	case commandList:
		return ListRequest{}
	}
	return MOTDRequest{}
}

// readUpdate reads a game without a command.
func readUpdate(r *wire.Reader, o Options, l Layout) Request {
	var m Update
	r.In("game", -1)
	m.Game.decode(r, o, l)
	r.In("", -1)
	return m
}

// append appends the five bytes of a command.
func (c command) append(w *wire.Writer) {
	w.Text(string(c))
	w.Uint8(0)
}

// appendCommand appends a request that is only a command.
func appendCommand(b []byte, c command) ([]byte, error) {
	w := wire.NewWriter(b)
	c.append(&w)
	return w.Finish(proto)
}

// A GameIDRequest asks for the number of a game that is about to be added,
// since 2.3. The answer is a [GameIDReply].
type GameIDRequest struct{}

// AppendBinary appends the wire form to b. It does not fail.
func (m GameIDRequest) AppendBinary(b []byte) ([]byte, error) {
	return appendCommand(b, commandGameID)
}

// MarshalBinary returns the wire form.
func (m GameIDRequest) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// A Keep tells that the host is still there, since 2020. There is no answer:
// the host would take it for that to its next update.
type Keep struct{}

// AppendBinary appends the wire form to b. It does not fail.
func (m Keep) AppendBinary(b []byte) ([]byte, error) { return appendCommand(b, commandKeep) }

// MarshalBinary returns the wire form.
func (m Keep) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// A ListRequest asks for the games. The answer is a [ListReply].
type ListRequest struct{}

// AppendBinary appends the wire form to b. It does not fail.
func (m ListRequest) AppendBinary(b []byte) ([]byte, error) { return appendCommand(b, commandList) }

// MarshalBinary returns the wire form.
func (m ListRequest) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// A JoinRequest goes to the game port of a host up to 3.0, not to a lobby. The
// answer is a [Game].
type JoinRequest struct{}

// AppendBinary appends the wire form to b. It does not fail.
func (m JoinRequest) AppendBinary(b []byte) ([]byte, error) { return appendCommand(b, commandJoin) }

// MarshalBinary returns the wire form.
func (m JoinRequest) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// A MOTDRequest asks for a greeting; only betas of 2.2 sent it. The answer is
// up to 255 bytes of text, with nothing to tell where it ends.
type MOTDRequest struct{}

// AppendBinary appends the wire form to b. It does not fail.
func (m MOTDRequest) AppendBinary(b []byte) ([]byte, error) { return appendCommand(b, commandMOTD) }

// MarshalBinary returns the wire form.
func (m MOTDRequest) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// An AddGame lists a game for as long as the connection lasts. The answer is a
// [Status], but for a game of a 2.0 or 2.1 client, which expects none.
type AddGame struct {
	Game Game
}

// AppendBinary appends the wire form to b. It fails as [Game.AppendBinary] does.
func (m AddGame) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Grow(CommandSize + GameSize)
	commandAddGame.append(&w)
	w.In("game", -1)
	m.Game.append(&w)
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m AddGame) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// An Update replaces the game that was added on the same connection. The
// answer is a [Status] since 2020: a host that does not get it within 2.5
// seconds leaves.
type Update struct {
	Game Game
}

// AppendBinary appends the wire form to b, without a command in front. It
// fails as [Game.AppendBinary] does.
func (m Update) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.In("game", -1)
	m.Game.append(&w)
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m Update) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// An Unknown is four bytes that are no command. What follows cannot be
// understood: a lobby closes the connection.
type Unknown struct {
	Command string
}

// AppendBinary appends the four bytes to b, alone. It fails if they are not
// four.
func (m Unknown) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	if len(m.Command) != commandLetters {
		w.Fail(lobbywire.ErrInvalid, "command")
	}
	w.Text(m.Command)
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m Unknown) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }
