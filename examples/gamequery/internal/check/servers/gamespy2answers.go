package servers

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/gamespy2"
)

func hasFacts(m gamespy2.Response, _ [][]byte) error {
	v := m.View()
	isMap := func(e gamespy2.KeyValue) bool { return e.Key == "mapname" } // it may be empty
	switch {
	case v.Name == "":
		return errors.New("no hostname")
	case v.Map == "" && !slices.ContainsFunc(m.Info, isMap):
		return errors.New("no mapname")
	case v.Players == nil || v.Max == nil:
		return errors.New("numplayers or maxplayers is missing, or no number")
	}
	return nil
}

func hasKeysOnce(m gamespy2.Response, _ [][]byte) error {
	for i, kv := range m.Info {
		twice := func(other gamespy2.KeyValue) bool { return other.Key == kv.Key && other.Value != kv.Value }
		if slices.ContainsFunc(m.Info[:i], twice) {
			return fmt.Errorf("%q has two values: some clients read the first, and some the last", kv.Key)
		}
	}
	return nil
}

// hasPlainNumbers returns an error if a number has other characters than digits: clients
// differ in what they make of blanks and fractions.
func hasPlainNumbers(m gamespy2.Response, _ [][]byte) error {
	for _, key := range []string{"numplayers", "maxplayers", "hostport"} {
		value, ok := m.Lookup(key)
		most := uint64(math.MaxInt32)
		if key == "hostport" {
			most = math.MaxUint16
		}
		if n, err := strconv.ParseUint(value, 10, 32); ok && (err != nil || n > most) {
			return fmt.Errorf("%s is %q", key, value)
		}
	}
	if value, ok := m.Lookup("password"); ok && value != "" && m.View().Password == nil {
		return fmt.Errorf("password is neither 0 nor 1: everybody can read it")
	}
	return nil
}

func hasEnd(m gamespy2.Response, answers [][]byte) error {
	q := everything()
	q.ID = m.ID
	if m.Split {
		q.Flags = gamespy2.FlagSplit
	}
	err := fuzzharness.JudgeGameSpyAnswers(q, once(answers))
	if errors.Is(err, fuzzharness.ErrNoEnd) {
		return err
	}
	return nil
}

func hasPacketsOnce(_ gamespy2.Response, answers [][]byte) error {
	if n := len(answers) - len(once(answers)); n > 0 {
		return fmt.Errorf("%d of %d packets come twice: %w", n, len(answers), fuzzharness.ErrRepeated)
	}
	return nil
}

func hasSmallPackets(_ gamespy2.Response, answers [][]byte) error {
	const most = 1400 // of the packets that GameSpy's code sends and reads
	for _, b := range answers {
		if len(b) > most && len(answers) > 1 { // Minecraft sends one packet of any size
			return fmt.Errorf("%d bytes", len(b))
		}
	}
	return nil
}

func isPlausible(m gamespy2.Response, _ [][]byte) error {
	v, all := m.View(), texts(m) // as they were sent
	v.Name, v.Roster = all[0], nil
	for _, text := range all[1:] {
		v.Roster = append(v.Roster, lobbywire.Player{Name: text})
	}
	return check.Implausible(v)
}
