package servers

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/gamespy2"
)

func (s *gameSpyServer) hasFacts(m gamespy2.Response, _ [][]byte) {
	v := m.View()
	isMap := func(e gamespy2.KeyValue) bool { return e.Key == "mapname" } // it may be empty
	switch {
	case v.Name == "":
		s.Failf("no hostname")
	case v.Map == "" && !slices.ContainsFunc(m.Info, isMap):
		s.Failf("no mapname")
	case v.Players == nil || v.Max == nil:
		s.Failf("numplayers or maxplayers is missing, or no number")
	}
}

func (s *gameSpyServer) hasKeysOnce(m gamespy2.Response, _ [][]byte) {
	for i, kv := range m.Info {
		twice := func(other gamespy2.KeyValue) bool { return other.Key == kv.Key && other.Value != kv.Value }
		if slices.ContainsFunc(m.Info[:i], twice) {
			s.Failf("%q has two values: some clients read the first, and some the last", kv.Key)
		}
	}
}

// hasPlainNumbers fails if a number has other characters than digits: clients read blanks
// and fractions differently.
func (s *gameSpyServer) hasPlainNumbers(m gamespy2.Response, _ [][]byte) {
	for _, key := range []string{"numplayers", "maxplayers", "hostport"} {
		value, ok := m.Lookup(key)
		most := uint64(math.MaxInt32)
		if key == "hostport" {
			most = math.MaxUint16
		}
		if n, err := strconv.ParseUint(value, 10, 32); ok && (err != nil || n > most) {
			s.Failf("%s is %q", key, value)
		}
	}
	if value, ok := m.Lookup("password"); ok && value != "" && m.View().Password == nil {
		s.Failf("password is neither 0 nor 1: everybody can read it")
	}
}

func (s *gameSpyServer) hasEnd(m gamespy2.Response, answers [][]byte) {
	q := everything()
	q.ID = m.ID
	if m.Split {
		q.Flags = gamespy2.FlagSplit
	}
	err := fuzzharness.JudgeGameSpyAnswers(q, once(answers))
	if errors.Is(err, fuzzharness.ErrNoEnd) {
		s.Fail(err)
	}
}

func (s *gameSpyServer) hasPacketsOnce(_ gamespy2.Response, answers [][]byte) {
	if n := len(answers) - len(once(answers)); n > 0 {
		s.Failf("%d of %d packets come twice: %w", n, len(answers), fuzzharness.ErrRepeated)
	}
}

func (s *gameSpyServer) hasSmallPackets(_ gamespy2.Response, answers [][]byte) {
	const most = 1400 // of the packets that GameSpy's code sends and reads
	for _, b := range answers {
		if len(b) > most && len(answers) > 1 { // Minecraft sends one packet of any size
			s.Failf("%d bytes", len(b))
		}
	}
}

func (s *gameSpyServer) isPlausible(m gamespy2.Response, _ [][]byte) {
	v, all := m.View(), texts(m) // as they were sent
	v.Name, v.Roster = all[0], nil
	for _, text := range all[1:] {
		v.Roster = append(v.Roster, lobbywire.Player{Name: text})
	}
	s.Plausible(v)
}
