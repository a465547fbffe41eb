package proposalnet

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// A dialect is the wire form of commands and answers in a proposal.
type dialect interface {
	facts() facts

	// appendCommand appends the command of a client or host.
	appendCommand(b []byte, c command) ([]byte, error)

	// commands returns a function that cuts the commands of a connection off its input. If
	// it returns an error and a rest shorter than b, the rest starts with the next command.
	commands() func(b []byte) (c command, rest []byte, err error)

	// done returns the answer to a command other than verbList. A new game has an id.
	done(v verb, id string) []byte

	// refused returns the answer to a command that has failed.
	refused(text string) []byte

	// entry returns the entry of a list for a game, or nil if the list cannot contain it.
	entry(g Game) []byte

	// list returns a list of the first n entries, as many as it can contain.
	list(entries [][]byte) (b []byte, n int)

	// answers returns a function that cuts the answer to a command off the input of a
	// connection. Its error is a *LobbyError if the lobby refuses.
	answers(v verb) func(b []byte) (a answer, rest []byte, err error)

	// part returns the complete games of a list whose end is missing, if a list consists of
	// several messages.
	part(b []byte) answer
}

// facts are the other differences between the proposals.
type facts struct {
	source      warzonegames.Source
	maxCommand  int           // in bytes
	maxAnswer   int           // in bytes
	life        time.Duration // of a game without a command of its host
	hasIDs      bool          // an id identifies a game; otherwise, its address and port do
	mayBeSilent bool          // lobbies need not answer the verbs after verbOpen
}

// A verb is the action of a command.
type verb uint8

// The verbs.
const (
	verbList   verb = iota
	verbOpen        // list a game
	verbUpdate      // change a game
	verbKeep        // keep a game listed
	verbClose       // remove a game
)

// A command is a message of a client or a host.
type command struct {
	verb   verb
	filter []wzjson.Fields // of verbList; empty for all games
	id     string          // of the game, if it has one
	game   Game            // for a lobby, only the port is set, except in verbOpen
	change func(g *Game)   // carries out verbUpdate; only for a lobby
}

// An answer is the answer of a lobby to a successful command.
type answer struct {
	games   []Game // of verbList
	skipped int    // games that cannot be read
	partial bool   // there may be more games
	id      string // of a new game, if the proposal uses ids
}

// A LobbyError is the answer of a lobby that refuses a command.
type LobbyError struct {
	Text string // for people; it can be any text, so quote it before showing it
}

// Unwrap returns [lobbywire.ErrRefused].
func (e *LobbyError) Unwrap() error { return lobbywire.ErrRefused }

// Error returns the start of the text in Go's quotes.
func (e *LobbyError) Error() string {
	if e.Text == "" {
		return "proposalnet: the lobby refuses"
	}
	return "proposalnet: the lobby refuses: " + strconv.Quote(refusal.Shown(e.Text, refusal.MaxText))
}

// isRefusal reports whether a lobby has refused a command.
func isRefusal(err error) bool {
	_, ok := errors.AsType[*LobbyError](err)
	return ok
}

// errNoAnswer means that a lobby sent a valid answer that does not fit the command.
var errNoAnswer = fmt.Errorf("%w: proposalnet: the lobby answers something else", lobbywire.ErrUnreadable)

// unknownCommand returns the error for a command that the proposal does not define.
func unknownCommand(proto string) error {
	return &lobbywire.Error{Proto: proto, Field: "command", Err: wire.Unsupported("is not known")}
}
