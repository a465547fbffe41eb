package masters

import (
	"errors"
	"fmt"

	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/warzone"
)

// Sources of the cases of Warzone: the programs that speak it.
const (
	wzClient = "Warzone 2100 3.1 to 4.6, which show the list"
	wzHost   = "Warzone 2100 4.0 to 4.6, which host games"
	wzStream = "TCP: the game sends messages in one packet or in several"
	wzBots   = "bots that list games"
)

// warzoneRows are the cases of a lobby.
func warzoneRows() []row[*warzoneLobby] {
	type l = *warzoneLobby
	games := fuzzharness.WarzoneGames()
	games[3].Host = "203.0.113.9" // which is not the host's
	return []row[l]{
		{"1.1", check.Must, "a list request is answered with a list and a status", wzClient, func(l l) { l.list() }},
		{"1.2", check.Must, "a host gets an id, which is not 0", wzHost, func(l l) { l.id() }},
		{"1.3", check.Must, "two hosts get different ids", wzHost, l.givesTwoIDs},
		{"1.4", check.Must, "an ordinary game is listed as it was added, with the address of the host", wzHost,
			showsGames(games[0])},
		{"1.5", check.Must, "a game without players is listed as it was added, with the address of the host", wzHost,
			ifTaken(games[1])},
		{"1.6", check.Must, "a full game is listed as it was added, with the address of the host", wzHost, ifTaken(games[2])},
		{"1.7", check.Must, "a game with the longest texts is listed as it was added, with the address of the host", wzHost,
			ifTaken(games[3])},
		{"1.8", check.Must, "a game with the largest numbers is listed as it was added, with the address of the host", wzHost,
			ifTaken(games[4])},
		{"1.9", check.Must, "a game with odd characters is listed as it was added, with the address of the host", wzHost,
			ifTaken(games[5])},
		{"1.10", check.Must, "an update changes the list, and is answered with a status", wzHost,
			showsGames(games[2], games[0])},
		{"1.11", check.Must, "a Keep is not answered", wzHost, l.answersNoKeep},
		{"1.12", check.Must, "the game of a connection that has ended is not listed", wzHost, l.removesClosed},
		{"1.13", check.Must, "a client in the middle of a request does not keep others waiting", wzStream,
			func(l l) { check.AskBesideSlow(l.Session, l, 2) }},
		{"1.14", check.Must, "the games of two hosts are listed, and only the one is removed whose connection is reset",
			wzHost, listsTwo[l]},
		{"2.1", check.Must, "a list request that comes in pieces is answered while the connection is open", wzStream,
			func(l l) { check.AskPieces(l.Session, l, 1, -1) }},
		{"2.2", check.Must, "the messages of a host that come in pieces are read, and answered one by one", wzStream,
			l.readsPieces},
		{"3.1", check.Must, "an unknown command gets no list", wzClient, l.listsForNoCommand},
		{"3.2", check.Must, "an incomplete game is not answered", wzHost, l.ignoresPart},
		{"3.3", check.Must, "a game of an unknown version is not listed", wzHost, l.ignoresVersion},
		{"4.1", check.Must, "a list has no more games than clients read", "Warzone 2100 3.1 to 3.4, which have room for 11",
			l.hasShortBatch},
		{"5.1", check.Should, `"list" in the forms that bots send is answered`, wzBots, l.answersBots},
		{"5.2", check.Robust, "broken requests are answered as they must be, and the lobby survives them", wzClient,
			l.survives},
	}
}

// id returns the id that a host gets.
func (l *warzoneLobby) id() uint32 {
	return check.Parsed(l.Session, warzone.ParseGameIDReply, l.judged(streamOf(warzone.GameIDRequest{}))).GameID
}

func (l *warzoneLobby) givesTwoIDs() {
	if first, second := l.id(), l.id(); first == second {
		l.Failf("both have the id %d", first)
	}
}

// showsGames is a case of games that are added and updated. The list must show the last
// one, with the address of its host.
func showsGames(games ...warzone.Game) func(l *warzoneLobby) {
	return func(l *warzoneLobby) {
		last, entries := l.hosted(games)
		if len(entries) != 1 {
			l.Failf("the list has the game %d times, want once", len(entries))
		}
		l.isShown(last, entries[0])
	}
}

// ifTaken is showsGames with a game that a lobby may refuse, unless it refuses an ordinary one.
func ifTaken(game warzone.Game) func(l *warzoneLobby) {
	return func(l *warzoneLobby) {
		err := l.Try(func() { showsGames(game)(l) })
		if errors.Is(err, check.ErrRefused) {
			l.hosted(fuzzharness.WarzoneGames()[:1])
			err = check.Skipped(err.Error())
		}
		l.Check(err)
	}
}

func (l *warzoneLobby) answersNoKeep() {
	l.hosted(fuzzharness.WarzoneGames()[:1], warzone.Keep{}, warzone.Keep{})
}

func (l *warzoneLobby) removesClosed() {
	game := newRoom(0)
	l.hosted([]warzone.Game{game})
	l.AwaitList(func() {
		if len(named(l.list(), game.Name)) > 0 {
			l.Fail(check.ErrListed)
		}
	})
}

func (l *warzoneLobby) readsPieces() {
	l.register(0)
	l.refresh(0)
	lists(l, 0)
}

func (l *warzoneLobby) listsForNoCommand() {
	answers := l.Talk([]byte("xxxx\x00"))
	if _, err := warzone.ParseListReply(answers); len(answers) > 0 && err == nil {
		l.Fail(fuzzharness.ErrAnswered)
	}
}

func (l *warzoneLobby) ignoresPart() {
	cut := streamOf(warzone.AddGame{Game: fuzzharness.WarzoneGames()[0]})
	if len(l.Talk(cut[:len(cut)-1])) > 0 {
		l.Failf("a game whose last byte is missing: %w", fuzzharness.ErrAnswered)
	}
}

// ignoresVersion adds a game, and looks for it from another connection: an answer to the host
// may be a status, or the connection may be closed.
func (l *warzoneLobby) ignoresVersion() {
	game := newRoom(0)
	l.place(0, &game)
	c := l.Dial()
	defer c.Line.Close()
	const command, version = 5, 3 // bytes of the command, and the last one of the version
	sent := streamOf(warzone.AddGame{Game: game})
	sent[command+version] = 99
	c.Send(sent)
	for range 2 { // the lobby may list it a moment later
		l.Peer.Pause(3)
		if len(named(l.list(), game.Name)) > 0 {
			l.Fail(check.ErrListed)
		}
	}
}

// hasShortBatch is a case of a list with more games than the first batch may have.
func (l *warzoneLobby) hasShortBatch() {
	for i := range warzone.MaxFirstBatch + 1 {
		game := newRoom(0)
		err := l.Try(func() { l.open(0, &game) })
		if i > 0 && err != nil {
			err = check.Skipped(fmt.Sprintf("the lobby lists %d games of a host: %v", i, err))
		}
		l.Check(err)
	}
	list := l.list()
	if first := len(list.Games); list.Batches == nil && first > warzone.MaxFirstBatch {
		l.Failf("%d games in the first batch, and old clients have room for %d", first, warzone.MaxFirstBatch)
	}
}

func (l *warzoneLobby) answersBots() {
	if _, err := warzone.ParseListReply(l.Talk([]byte("list\n"))); err != nil {
		l.Fail(check.Skipped("the lobby does not answer it"))
	}
}

func (l *warzoneLobby) survives() {
	for range check.Mutations {
		l.judged(l.Mutated(l.Query()))
	}
	l.list()
}
