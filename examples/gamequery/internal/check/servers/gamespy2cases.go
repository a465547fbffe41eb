package servers

import (
	"errors"
	"slices"

	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/gamespy2"
)

// Sources of the cases of GameSpy's queries: sections of its document, and programs.
const (
	gsChallenge = "GameSpy, challenge"
	gsRequest   = "GameSpy, request"
	gsResponse  = "GameSpy, response"
	gsSDK       = "GameSpy's SDK"
	gsLoops     = "GameSpy, types: a server answers no answer"
	gsReaders   = "what qstat, gamedig, GameQ and opengsq read"
)

// gameSpyRows are the cases of GameSpy's queries. The number 3.1 is reserved: it was about
// requests of more than 255 bytes. The SDK reads the start of these.
func gameSpyRows() []row[*gameSpyServer] {
	type s = *gameSpyServer
	return []row[s]{
		{"1.1", check.Must, "a challenge request, if it is answered, has an answer with its id and a number, in digits",
			gsChallenge, s.sendsChallenge},
		{"1.2", check.Must, "a query in one of the forms is answered", gsRequest, func(s s) { s.any() }},
		{"1.3", check.Must, "answers have the id of their query and what was requested, and are whole", gsResponse,
			each(func(s, gamespy2.Response, [][]byte) {})},
		{"1.4", check.Must, "two requests with different ids get answers of their own", gsRequest, s.repeatsIDs},
		{"1.5", check.Must, "a query without a challenge is not answered, if challenges are needed", gsChallenge,
			refuses(func(int32) int32 { return 0 })},
		{"1.6", check.Must, "a challenge whose byte 0 is wrong is refused", gsChallenge, refuses(wrongChallenge(0))},
		{"1.7", check.Must, "a challenge whose byte 1 is wrong is refused", gsChallenge, refuses(wrongChallenge(1))},
		{"1.8", check.Must, "a challenge whose byte 2 is wrong is refused", gsChallenge, refuses(wrongChallenge(2))},
		{"1.9", check.Must, "a challenge whose byte 3 is wrong is refused", gsChallenge, refuses(wrongChallenge(3))},
		{"1.10", check.Must, "a challenge of another port is refused", gsChallenge, refusesForeign(1)},
		{"1.11", check.Must, "a challenge of another host is refused", gsChallenge, refusesForeign(2)},
		{"1.12", check.Must, "answers are not answered", gsLoops, s.answersNoAnswer},
		{"1.13", check.Must, "a request of an unknown type is not answered", gsRequest,
			sends[s](ofTypes(1, 3, 5, 8, 200)...)},
		{"1.14", check.Should, "a request that does not start with fe fd is not answered", gsRequest,
			sends[s]([]byte("\xfd\xfe\x09\x01\x02\x03\x04"), []byte("\xfe\xfe\x09\x01\x02\x03\x04"),
				[]byte("\x00\xfd\x09\x01\x02\x03\x04"))},
		{"1.15", check.Should, "an echo request gets no more bytes than it has", gsSDK, s.echoesLittle},
		{"1.16", check.Must, "several clients at one time get answers of their own", gsChallenge, s.servesSeveral},
		{"1.17", check.Must, "challenges cannot be guessed from those of other clients", gsChallenge, s.hasRandomChallenges},
		{"1.18", check.Must, "an id with zeros is repeated, as gamedig has it", "gamedig",
			repeats([4]byte{0, 0, 0, 1}, [4]byte{0, 0, 0, 1})},
		{"1.19", check.Should, "an id of any bytes is repeated, whatever that of the challenge", gsRequest,
			repeats(usualID(), [4]byte{0xff, 0x80, 0x0a, 0xfe})},
		{"2.1", check.Should, "a query for info, if it is answered, has an answer with these", gsRequest,
			selects(gamespy2.Request{Info: gamespy2.All()})},
		{"2.2", check.Should, "a query for players, if it is answered, has an answer with these", gsRequest,
			selects(gamespy2.Request{Players: gamespy2.All()})},
		{"2.3", check.Should, "a query for teams, if it is answered, has an answer with these", gsRequest,
			selects(gamespy2.Request{Teams: gamespy2.All()})},
		{"2.4", check.Must, "an answer has the name, the map and the numbers of players", gsReaders, each(s.hasFacts)},
		{"2.5", check.Should, "a query for nothing is not answered", gsRequest, s.answersNoEmptyQuery},
		{"2.6", check.Should, "a query for single keys, one unknown, if it is answered, has their values in its order",
			gsRequest, s.answersSingleKeys},
		{"2.7", check.Should, "a key has one value", gsReaders, each(s.hasKeysOnce)},
		{"2.8", check.Should, "numbers and the port are digits only", gsReaders, each(s.hasPlainNumbers)},
		{"2.9", check.Should, "the last section has its end", gsResponse, each(s.hasEnd)},
		{"2.10", check.Should, "each packet of an answer comes once", gsSDK, each(s.hasPacketsOnce)},
		{"3.2", check.Must, "a request without its id is not answered", gsRequest, s.ignoresNoID},
		{"3.3", check.Robust, "broken requests are not answered as other requests, and the server survives them", gsRequest,
			s.survives},
		{"4.1", check.Must, "a challenge is a positive number of at least six digits", gsReaders, s.hasLongChallenge},
		{"4.2", check.Should, "packets have at most 1400 bytes", gsSDK, each(s.hasSmallPackets)},
		{"4.3", check.Must, "a challenge is at most 16 bytes", gsChallenge, s.sendsShortChallenge},
		{"5.1", check.Should, "a challenge request with four surplus bytes is answered like others, as gamedig sends it",
			"gamedig", s.answersLongChallengeRequest},
		{"5.2", check.Should, "the numbers of players agree with the list and the places, and no text has its end", gsReaders,
			each(s.isPlausible)},
	}
}

// ofTypes returns requests of types.
func ofTypes(types ...byte) (all [][]byte) {
	for _, t := range types {
		all = append(all, []byte{0xfe, 0xfd, t, 1, 2, 3, 4, 0xff, 0xff, 0xff})
	}
	return all
}

// each is a case of queries for everything in each form that the server answers.
func each(judge func(s *gameSpyServer, m gamespy2.Response, answers [][]byte)) func(s *gameSpyServer) {
	return func(s *gameSpyServer) {
		for _, f := range s.known() {
			m, answers := s.whole(0, f)
			judge(s, m, answers)
		}
	}
}

// first returns the first form that the server answers, of servers other than Minecraft, whose
// queries have no selectors.
func (s *gameSpyServer) first() gameSpyForm {
	f := s.any()
	if s.minecraft {
		s.Fail(check.ErrOther)
	}
	return f
}

// any returns the first form that the server answers.
func (s *gameSpyServer) any() gameSpyForm {
	forms := s.known()
	if len(forms) == 0 {
		s.Fail(fuzzharness.ErrSilent)
	}
	return forms[0]
}

func (s *gameSpyServer) sendsChallenge() {
	request := s.challengeRequest(0)
	answers := s.AskWhole(0, request, check.One, s.knows)
	if len(answers) == 0 {
		s.Fail(check.Skipped("challenge requests are not answered"))
	}
	s.Check(fuzzharness.JudgeGameSpy(request, answers, 0))
}

func (s *gameSpyServer) repeatsIDs() {
	f := s.any()
	for source := range 2 {
		s.whole(source, f)
	}
}

// refuses is a case of a query whose challenge is wrong.
func refuses(change func(number int32) int32) func(s *gameSpyServer) {
	return func(s *gameSpyServer) {
		s.strict()
		s.refusesNumber(change(s.fresh(0)))
	}
}

// refusesNumber asks for everything in all known forms, and must get nothing.
func (s *gameSpyServer) refusesNumber(number int32) {
	for _, f := range s.forms {
		q := everything()
		q.ID, q.HasChallenge, q.Challenge = s.idOf(0), true, number
		if f.split {
			q.Flags = gamespy2.FlagSplit
		}
		s.AskNothing(0, check.MustBinary(q))
	}
}

func wrongChallenge(at int) func(n int32) int32 {
	return func(n int32) int32 { return n ^ 0x15<<(24-8*at) }
}

// refusesForeign is a case of a query with the challenge of another address.
func refusesForeign(other int) func(s *gameSpyServer) {
	return func(s *gameSpyServer) {
		s.strict()
		own, number := s.fresh(0), s.fresh(other)
		if number == own {
			s.Failf("both have the number %d: it must depend on host and port", own)
		}
		s.refusesNumber(number)
	}
}

func (s *gameSpyServer) answersNoAnswer() {
	_, answers := s.whole(0, s.any())
	s.AskNothing(0, answers[0], check.MustBinary(gamespy2.ChallengeResponse{ID: s.idOf(0), Number: 1234567}))
}

func (s *gameSpyServer) echoesLittle() {
	request := []byte("\xfe\xfd\x02\x01\x02\x03\x04hello")
	s.AtMost(0, request, len(request))
}

func (s *gameSpyServer) servesSeveral() {
	f := s.any()
	if !f.challenge {
		return
	}
	for source := range sources {
		s.fresh(source)
	}
	for source := range sources {
		s.answered(s.queryWith(source, s.numbers[source], f, everything()))
	}
}

// answered fails unless a query has a valid answer.
func (s *gameSpyServer) answered(answers [][]byte, err error) {
	s.Check(err)
	if len(answers) == 0 {
		s.Fail(fuzzharness.ErrSilent)
	}
}

func (s *gameSpyServer) hasRandomChallenges() {
	s.strict()
	s.NotGuessed(uint32(s.fresh(0)), uint32(s.fresh(1)), uint32(s.fresh(2)))
}

// repeats is a case of a query with an id, and a challenge request with another.
func repeats(challenge, query [4]byte) func(s *gameSpyServer) {
	return func(s *gameSpyServer) {
		f := s.first()
		s.id = challenge
		number := s.challenge(0, f)
		s.id = query
		s.answered(s.queryWith(0, number, f, everything()))
	}
}

// selects is a case of a query for a section.
func selects(q gamespy2.Request) func(s *gameSpyServer) {
	return func(s *gameSpyServer) {
		s.first()
		for _, f := range s.forms {
			if f.split {
				continue // which always has everything
			}
			_, err := s.query(0, f, q)
			if err == nil && f.challenge {
				_, err = s.query(0, f, q, 0) // the flags
			}
			if err != nil {
				s.Failf("%s: %w", f, err)
			}
		}
	}
}

func (s *gameSpyServer) answersNoEmptyQuery() {
	s.first()
	s.strict()
	s.AskNothing(0, check.MustBinary(gamespy2.Request{ID: s.idOf(0), HasChallenge: true, Challenge: s.fresh(0)}))
}

// answersSingleKeys compares the answer to a query for keys with the answer for all.
func (s *gameSpyServer) answersSingleKeys() {
	f := s.first()
	const unknown = 200 // has an empty value
	keys := gamespy2.Keys(
		gamespy2.KeyMapName, unknown, gamespy2.KeyHostname, gamespy2.KeyMaxPlayers, gamespy2.KeyNumPlayers)
	all, _ := s.whole(0, f)
	q := gamespy2.Request{ID: s.idOf(0), Info: keys, Challenge: s.challenge(0, f)}
	q.HasChallenge = q.Challenge != 0
	answers := s.AskMaybe(0, check.MustBinary(q))
	if len(answers) == 0 {
		return
	}
	got, err := gamespy2.ParseValues(answers[0], keys.Len())
	s.Check(err)
	if want := all.Values(keys).Values; !slices.Equal(got.Values, want) {
		s.Failf("the values are %q, want %q", got.Values, want)
	}
}

// ignoresNoID is for servers other than Minecraft, which reuses the id of an earlier request.
func (s *gameSpyServer) ignoresNoID() {
	_ = s.Try(func() { s.known() })
	if s.minecraft {
		s.Fail(check.ErrOther)
	}
	s.AskNothing(0, []byte("\xfe\xfd\x09"), []byte("\xfe\xfd\x09\x01"), []byte("\xfe\xfd\x09\x01\x02"),
		[]byte("\xfe\xfd\x09\x01\x02\x03"))
}

func (s *gameSpyServer) survives() {
	f := s.any()
	q := everything()
	q.ID = s.idOf(0)
	q.HasChallenge = s.Try(s.strict) == nil
	if q.HasChallenge {
		q.Challenge = s.numbers[0]
	}
	request := check.MustBinary(q)
	for range check.Mutations {
		b := s.Mutated(request)
		answers := s.AskMaybe(0, b)
		if _, most := fuzzharness.ExpectGameSpy(b, q.Challenge); q.HasChallenge && !s.minecraft && len(answers) > most {
			s.Failf("%x: %w", b, fuzzharness.ErrAnswered)
		}
	}
	s.whole(0, f)
}

func (s *gameSpyServer) hasLongChallenge() {
	var number int32
	err := s.Try(func() { number = s.number(0) })
	if errors.Is(err, fuzzharness.ErrSilent) || err == nil && number == 0 {
		s.Fail(check.Skipped("the server has no challenges"))
	}
	s.Check(err)
	if number < 100000 {
		s.Failf("the number is %d: some clients misread it", number)
	}
}

func (s *gameSpyServer) sendsShortChallenge() {
	const most = 16
	s.AtMost(1, s.challengeRequest(1), most)
}

func (s *gameSpyServer) answersLongChallengeRequest() {
	if s.Try(func() { s.number(0) }) != nil {
		s.Fail(check.Skipped("the server has no challenges"))
	}
	request := append(s.challengeRequest(0), 0, 0, 0, 0)
	s.Check(fuzzharness.JudgeGameSpy(request, [][]byte{s.Ask(0, request)}, 0))
}
