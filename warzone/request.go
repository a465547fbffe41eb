package warzone

import (
	"bytes"
	"encoding"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// proto names the package in errors.
const proto = "warzone"

// A Request is a message from a client to a lobby: [GameIDRequest], [AddGame], [Update],
// [Keep], [ListRequest], [JoinRequest], [MOTDRequest] or [Unknown].
//
// Except Update and Unknown, it starts with a command: four letters and a zero byte.
//
//wire:message key=command
type Request interface {
	encoding.BinaryAppender
	request()
}

// decodeRequest expects the first request of a connection. Later ones depend on earlier
// ones: use a [HostStream] to read them.
//
// It accepts commands in capital letters, with any last byte or none, and
// ignores CR, LF and zero bytes around a request.
func decodeRequest(r *wire.Reader, o Options) Request {
	if !o.Strict {
		r.Skip(strays(r.Peek()), "ignored")
	}
	m := readRequest(r, o)
	if !o.Strict {
		r.Skip(r.Len()-len(bytes.TrimLeft(r.Peek(), "\x00\r\n")), "ignored")
	}
	r.End()
	return m
}

// strays returns the number of bytes before the next request. Zero bytes can also
// be the start of a game, so it leaves the last three for later.
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

// The size of a command, without and with its last byte.
const (
	commandLetters = 4
	commandSize    = 5
)

// commandOf returns the command whose letters are p, or "".
func (o Options) commandOf(p []byte) command {
	for _, c := range [...]command{
		commandAddGame, commandGameID, commandJoin, commandKeep, commandList, commandMOTD,
	} {
		if string(p) == string(c) || !o.Strict && strings.EqualFold(string(p), string(c)) {
			return c
		}
	}
	return ""
}

// needed returns the number of bytes needed to read or refuse the request at the start of p
// or, if p is too short for that, the number of bytes needed to find out.
func (o Options) needed(p []byte) int {
	const next = commandSize + 4
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
		return commandSize + o.neededForGame(p[commandSize:])
	case c != "" && o.Strict:
		return commandSize
	}
	return commandLetters
}

// readRequest reads a request. More bytes may follow.
func readRequest(r *wire.Reader, o Options) Request {
	p := r.Peek()
	if isVersionWord(p) {
		return readUpdate(r, o, o.layoutOf(p))
	}
	at := r.Offset()
	p = r.ViewWithin(0, commandLetters, 0, "command")
	if r.Failed() {
		return nil
	}
	c := o.commandOf(p)
	if c == "" {
		if o.Strict && !isUnknown(p) {
			r.Refuse("command", at, notUnknown)
		}
		return Unknown{Command: string(p)}
	}
	at = r.Offset()
	if r.Len() > 0 || o.Strict || c == commandAddGame {
		if last := r.Uint8("commandEnd"); last != 0 && o.Strict {
			r.Refuse("commandEnd", at, "is not 0")
		}
	}
	if c == commandAddGame {
		return AddGame(readUpdate(r, o, o.layoutOf(r.Peek())))
	}
	return requestOf(c, r, o)
}

// readUpdate reads a game without a command.
func readUpdate(r *wire.Reader, o Options, l Layout) (m Update) {
	r.In("game", -1)
	m.Game.decodeAs(r, o, l)
	r.In("", -1)
	return m
}

// append appends a command.
func (c command) append(w *wire.Writer) { w.Text0("command", string(c)) }

// A GameIDRequest requests a number for a game that will be added, since
// 2.3. The answer is a [GameIDReply].
//
//wire:message Request key=commandGameID
type GameIDRequest struct{}

//wire:fails never
func (m *GameIDRequest) append(w *wire.Writer) { commandGameID.append(w) }

// A Keep reports that the host is still alive, since 2020. There is no answer: the host
// would read it as the answer to its next update.
//
//wire:message Request key=commandKeep
type Keep struct{}

//wire:fails never
func (m *Keep) append(w *wire.Writer) { commandKeep.append(w) }

// A ListRequest requests the list of games. The answer is a [ListReply].
//
//wire:message Request key=commandList
type ListRequest struct{}

//wire:fails never
func (m *ListRequest) append(w *wire.Writer) { commandList.append(w) }

// A JoinRequest goes to the game port of a host up to 3.0, not to a lobby. The
// answer is a [Game].
//
//wire:message Request key=commandJoin
type JoinRequest struct{}

//wire:fails never
func (m *JoinRequest) append(w *wire.Writer) { commandJoin.append(w) }

// A MOTDRequest requests a greeting. Only betas of 2.2 sent it. The answer is
// up to 255 bytes of text without an end mark.
//
//wire:message Request key=commandMOTD
type MOTDRequest struct{}

//wire:fails never
func (m *MOTDRequest) append(w *wire.Writer) { commandMOTD.append(w) }

// An AddGame lists a game for as long as the connection lasts. The answer is a
// [Status]; clients 2.0 and 2.1 expect none.
//
//wire:message Request
type AddGame struct {
	Game Game
}

// append fails if [Game.AppendBinary] does.
func (m *AddGame) append(w *wire.Writer) {
	w.Grow(commandSize + GameSize)
	commandAddGame.append(w)
	w.In("game", -1)
	m.Game.append(w)
}

// An Update replaces the game that was added on the same connection. It is the
// game alone, without a command. The answer is a [Status] since 2020: a host
// that does not receive it within 2.5 seconds leaves.
//
//wire:message Request
type Update struct {
	Game Game
}

// append fails if [Game.AppendBinary] does.
func (m *Update) append(w *wire.Writer) {
	w.In("game", -1)
	m.Game.append(w)
}

// An Unknown is four bytes that are not a command. The lobby cannot find the
// next request after them and closes the connection.
//
//wire:message Request
type Unknown struct {
	Command string
}

// append fails if Command is not four bytes long, or if a lobby would read it as a known
// command or its first byte as one between requests.
func (m *Unknown) append(w *wire.Writer) {
	switch {
	case len(m.Command) != commandLetters:
		w.Refuse("command", "does not have four bytes")
	case !isUnknown([]byte(m.Command)):
		w.Refuse("command", notUnknown)
	}
	w.Text(m.Command)
}

// notUnknown is the reason for refusing a known command as unknown.
const notUnknown = "is a command in another case, or starts with CR, LF or a zero byte"

// isUnknown reports whether p, four bytes, is not a command in upper or lower case and does
// not start with a byte that may stand between requests.
func isUnknown(p []byte) bool {
	return bytes.IndexByte([]byte("\x00\r\n"), p[0]) < 0 && Options{}.commandOf(p) == ""
}
