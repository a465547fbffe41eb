package servers

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
)

// misread returns what other clients misread, according to the tables of
// ../../../../matrix.
func (s *gameSpyServer) misread() (notes []string) {
	forms := s.known()
	if err := s.Try(s.sendsChallenge); errors.Is(err, lobbywire.ErrInvalid) {
		notes = append(notes, "qstat and gamedig get no answer: they cannot read the challenge")
	}
	for _, f := range forms {
		var m gamespy2.Response
		var answers [][]byte
		if s.Try(func() { m, answers = s.whole(0, f) }) != nil {
			continue
		}
		v := m.View()
		if !f.split && v.Players != nil && len(v.Roster) < *v.Players {
			notes = append(notes, fmt.Sprintf("qstat -gs2 and gamedig protocol-gamespy2 show %d of %d players: "+
				"the plain form is one packet", len(v.Roster), *v.Players))
		}
		if f.split && !s.minecraft && len(m.Players.Rows) == 0 && len(m.Players.Columns) > 1 {
			notes = append(notes, "opengsq takes the name of the second column for a player")
		}
		if f.split && len(answers) > 2 && spans(answers) {
			notes = append(notes, "GameQ misreads a column that takes more than two packets")
		}
		notes = append(notes, misreadTexts(texts(m), "gamedig and GameQ", "opengsq")...)
	}
	slices.Sort(notes)
	return slices.Compact(notes)
}

// spans reports whether a packet between two others has only values of one column.
func spans(packets [][]byte) bool {
	for _, b := range packets[1 : len(packets)-1] {
		// After the header and the section are the name of a column and its values.
		if len(b) > 16 && bytes.Count(b[16:], []byte("_\x00")) == 1 {
			return true
		}
	}
	return false
}

// texts returns the names of a server and of its players.
func texts(m gamespy2.Response) []string {
	name, _ := m.Lookup("hostname")
	all := []string{name}
	for _, row := range m.Players.Rows {
		if len(row) > 0 {
			all = append(all, row[0])
		}
	}
	return all
}

// misreadTexts returns the clients that show texts with wrong characters: some read
// Latin-1, and others UTF-8.
func misreadTexts(texts []string, latin1, dropping string) (notes []string) {
	isASCII := func(t string) bool {
		return strings.IndexFunc(t, func(c rune) bool { return c >= utf8.RuneSelf }) < 0
	}
	if slices.ContainsFunc(texts, func(t string) bool { return utf8.ValidString(t) && !isASCII(t) }) {
		notes = append(notes, latin1+" read UTF-8 as Latin-1, and show other characters")
	}
	if slices.ContainsFunc(texts, func(t string) bool { return !utf8.ValidString(t) }) {
		notes = append(notes, dropping+" drops characters that are not UTF-8")
	}
	return notes
}
