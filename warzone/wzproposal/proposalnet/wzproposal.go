package proposalnet

import (
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// columns is the dialect of the text and the binary proposal.
type columns struct{ encoding wzproposal.Encoding }

// maxLine is the longest line that a client may send, in bytes. Frames are shorter.
const maxLine = 1 << 10

func (d columns) facts() facts {
	source := warzonegames.SourceText
	if d.encoding == wzproposal.Binary {
		source = warzonegames.SourceBinary
	}
	return facts{
		source:     source,
		maxCommand: maxLine,
		maxAnswer:  (1 + wzproposal.MaxGames) * wzproposal.MaxLine,
		life:       10 * time.Minute,
	}
}

// appendCommand sends no other changes of a started game, because opening it again would
// report that it can be joined.
func (d columns) appendCommand(b []byte, c command) ([]byte, error) {
	g := c.game
	switch {
	case len(c.filter) > 0:
		return b, &lobbywire.Error{Proto: "wzproposal", Field: "filter", Offset: -1, Err: wire.Unsupported("is not *")}
	case c.verb == verbList:
		return d.encoding.Append(b, wzproposal.List{})
	case c.verb == verbClose:
		return d.encoding.Append(b, wzproposal.CloseGame{Port: g.Port})
	case c.verb != verbOpen && g.Status == wzproposal.StatusStarted:
		return d.encoding.Append(b, wzproposal.StartGame{Port: g.Port})
	}
	return d.encoding.Append(b, wzproposal.OpenGame{Port: g.Port, Name: g.Name, Map: g.Map, MaxPlayers: g.MaxPlayers})
}

// commands ignores filters, because the proposals define only the one for all games.
func (d columns) commands() func(b []byte) (c command, rest []byte, err error) {
	f := wzproposal.Framer{Options: wzproposal.Options{Encoding: d.encoding, MaxLine: maxLine}}
	return func(b []byte) (c command, rest []byte, err error) {
		m, rest, err := f.NextRequest(b)
		switch m := m.(type) {
		case wzproposal.List:
			c = command{verb: verbList}
		case wzproposal.OpenGame:
			c = command{verb: verbOpen, game: Game{Port: m.Port, Name: m.Name, Map: m.Map, MaxPlayers: m.MaxPlayers}}
		case wzproposal.StartGame:
			start := func(g *Game) { g.Status = wzproposal.StatusStarted }
			c = command{verb: verbUpdate, game: Game{Port: m.Port}, change: start}
		case wzproposal.CloseGame:
			c = command{verb: verbClose, game: Game{Port: m.Port}}
		case wzproposal.Unknown:
			err = unknownCommand("wzproposal")
		}
		return c, rest, err
	}
}

func (d columns) done(verb, string) []byte { return d.encoded(wzproposal.Done{}) }

func (d columns) refused(text string) []byte { return d.encoded(wzproposal.Error{Text: text}) }

func (d columns) entry(g Game) []byte { return d.encoded(columnsOf(g)) }

func (d columns) list(entries [][]byte) (b []byte, n int) {
	entries = entries[:min(len(entries), wzproposal.MaxGames)]
	count := d.encoded(wzproposal.Count{Games: uint32(len(entries))})
	size := len(count)
	for _, entry := range entries {
		size += len(entry)
	}
	b = append(make([]byte, 0, size), count...)
	for _, entry := range entries {
		b = append(b, entry...)
	}
	return b, len(entries)
}

// encoded returns the wire form of a message, or nil if it has none.
func (d columns) encoded(m wzproposal.Message) []byte {
	b, _ := d.encoding.Append(nil, m)
	return b
}

func (d columns) answers(v verb) func(b []byte) (a answer, rest []byte, err error) {
	f := wzproposal.Framer{Options: wzproposal.Options{Encoding: d.encoding}}
	return func(b []byte) (a answer, rest []byte, err error) {
		m, rest, err := f.NextResponse(b)
		if err != nil {
			return a, rest, err
		}
		list, isList := m.(wzproposal.GameList)
		_, isDone := m.(wzproposal.Done)
		refused, isError := m.(wzproposal.Error)
		switch {
		case isError:
			err = &LobbyError{refused.Text}
		case isList && v == verbList && len(list.Games) == 0 && list.Skipped > 0:
			strict := wzproposal.Options{Encoding: d.encoding, Strict: true} // fails at the first game
			_, err = strict.ParseResponse(b[:len(b)-len(rest)])
		case isList && v == verbList:
			a = listAnswer(list)
		case !isDone || v == verbList:
			err = errNoAnswer
		}
		return a, rest, err
	}
}

// listAnswer returns the answer with a list.
func listAnswer(list wzproposal.GameList) answer {
	a := answer{skipped: list.Skipped}
	for _, g := range list.Games {
		a.games = append(a.games, gameOfColumns(g))
	}
	return a
}

func (d columns) part(b []byte) (a answer) {
	m, _ := wzproposal.Options{Encoding: d.encoding, Part: true}.ParseResponse(b)
	if list, ok := m.(wzproposal.GameList); ok {
		a = listAnswer(list)
	}
	return a
}
