package wzproposal_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

var transcript = wzproposal.Options{Transcript: true}

func TestTranscriptsOfAnswersAreRead(t *testing.T) {
	in := `// the lobby answers
< COUNT 2
< // ip          port  game-name        map-name  max-players  status
< 192.0.2.17     2100  Banana Game :-)  Sk-Rush   4            open

  192.0.2.17  2100  Banana Game :-)  Sk-Rush  4  open
< DONE   
// that is all
`
	want := []step[wzproposal.Response]{
		{Message: wzproposal.GameList{Games: []wzproposal.Game{bananaGame(), bananaGame()}}},
		{Message: wzproposal.Done{}},
	}
	got, left, lost := steps([]byte(in), whole, nextResponse(transcript))
	if diff := cmp.Diff(want, got, compare); diff != "" || left != "" || lost {
		t.Errorf("%q left, lost %v (-want +got):\n%s", left, lost, diff)
	}
}

func TestTranscriptsOfRequestsAreRead(t *testing.T) {
	in := "> LIST *\r\n> OPENGAME  9999  The Game!!  Sk-Rush  4\n> STARTGAME   9999\n" +
		"CLOSEGAME\t9999\tPlayer One\n> PING  a  b c \n\n> // bye\n"
	want := []step[wzproposal.Request]{
		{Message: wzproposal.List{Filter: "*"}},
		{Message: theGame()},
		{Message: wzproposal.StartGame{Port: 9999}},
		{Message: wzproposal.CloseGame{Port: 9999, Winner: "Player One"}},
		{Message: wzproposal.Unknown{Command: "PING", Fields: []string{"a", "b c"}}},
	}
	for size := 1; size <= len(in); size++ {
		got, left, lost := steps([]byte(in), func() int { return size }, nextRequest(transcript))
		if diff := cmp.Diff(want, got); diff != "" || left != "" || lost {
			t.Errorf("in parts of %d: %q left, lost %v (-want +got):\n%s", size, left, lost, diff)
		}
	}
}

// The sample of the proposal has lost its TABs: one space or more stand between its
// columns, and the names hold spaces too.
func TestTranscriptOfTheProposalIsRead(t *testing.T) {
	in := `// list all games
> LIST *
< COUNT 3
< 192.0.2.17 2100 Banana Game :-) Sk-Rush 4 open
< 198.51.100.4   9999 The Game!!  Sk-Rush 4 started
< 203.0.113.250 2101   beginners only Sk-Manhattan   2   open
> OPENGAME 9999   The Game!!  Sk-Rush  4
< DONE
> STARTGAME 9999
< DONE
> CLOSEGAME 9999 Player  One
< DONE
`
	var requests, answers string
	for line := range strings.Lines(in) {
		if strings.HasPrefix(line, ">") {
			requests += line
		} else {
			answers += line
		}
	}
	wantRequests := []step[wzproposal.Request]{
		{Message: wzproposal.List{Filter: "*"}},
		{Message: theGame()},
		{Message: wzproposal.StartGame{Port: 9999}},
		{Message: wzproposal.CloseGame{Port: 9999, Winner: "Player  One"}},
	}
	theirs := with(func(m *wzproposal.Game) {
		m.IP, m.Port = netip.MustParseAddr("198.51.100.4"), 9999
		m.Name, m.Status = "The Game!!", wzproposal.StatusStarted
	})
	beginners := with(func(m *wzproposal.Game) {
		m.IP, m.Port = netip.MustParseAddr("203.0.113.250"), 2101
		m.Name, m.Map, m.MaxPlayers = "beginners only", "Sk-Manhattan", 2
	})
	wantAnswers := []step[wzproposal.Response]{
		{Message: wzproposal.GameList{Games: []wzproposal.Game{bananaGame(), theirs, beginners}}},
		{Message: wzproposal.Done{}}, {Message: wzproposal.Done{}}, {Message: wzproposal.Done{}},
	}
	for _, size := range []int{1, 7, len(in)} {
		cut := func() int { return size }
		gotRequests, left, lost := steps([]byte(requests), cut, nextRequest(transcript))
		if diff := cmp.Diff(wantRequests, gotRequests); diff != "" || left != "" || lost {
			t.Errorf("in parts of %d: %q left, lost %v (-want +got):\n%s", size, left, lost, diff)
		}
		gotAnswers, left, lost := steps([]byte(answers), cut, nextResponse(transcript))
		if diff := cmp.Diff(wantAnswers, gotAnswers, compare); diff != "" || left != "" || lost {
			t.Errorf("in parts of %d: %q left, lost %v (-want +got):\n%s", size, left, lost, diff)
		}
	}
}

func TestGameListsOfTranscriptsAreRead(t *testing.T) {
	list := codectest.Codec[wzproposal.GameList]{Parse: transcript.ParseGameList, Compare: compare}
	list.Table(t, []codectest.Case[wzproposal.GameList]{
		{Name: "TABs", In: "COUNT\t1\n" + bananaRow, Want: wzproposal.GameList{Games: []wzproposal.Game{bananaGame()}}},
		{Name: "runs of spaces, marks, a comment",
			In:   "< COUNT 1\n< // ip  port\n< 192.0.2.17  2100   Banana Game :-)  Sk-Rush    4  open  \n",
			Want: wzproposal.GameList{Games: []wzproposal.Game{bananaGame()}}, Differs: true},
		{Name: "a space at the end may be the first of a run", In: "COUNT 1 ",
			Err: lobbywire.ErrTruncated, Field: "games", Offset: 6},
		{Name: "spaces at the end may be followed by LF", In: "COUNT 1  ",
			Err: lobbywire.ErrTruncated, Field: "games", Offset: 6},
		{Name: "a mark may follow", In: "COUNT 1\n<", Err: lobbywire.ErrTruncated, Field: "games[0].ip", Offset: 8},
		{Name: "a comment has no end yet", In: "COUNT 1\n< // a\tb",
			Err: lobbywire.ErrTruncated, Field: "games[0].comment", Offset: 8},
	})
}
