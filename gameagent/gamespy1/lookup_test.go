package gamespy1_test

import (
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// Lookup finds each key of the wire with its first value, whether it has a field or not.
func TestLookupFindsTheKeysOfTheWire(t *testing.T) {
	checked := 0
	for _, f := range golden.Load(t) {
		if f.Message() != "Status" || f.Header["Part"] != "" {
			continue
		}
		m, err := gamespy1.Options{Query: queryOf(t, f)}.ParseStatus(f.Data)
		if err != nil || m.Partial {
			continue
		}
		texts := strings.Split(strings.TrimPrefix(string(f.Data), `\`), `\`)
		seen := map[string]bool{}
		for i := 0; i+1 < len(texts); i += 2 {
			key, want := strings.ToLower(texts[i]), texts[i+1]
			if key == "final" {
				break
			}
			if key == "queryid" || seen[key] {
				continue
			}
			seen[key] = true
			got, ok := m.Lookup(texts[i])
			if ok && got != want && got != plain(want) || !ok && want != "" {
				t.Errorf("%s: %s is %q, %v, want %q", f.Name, texts[i], got, ok, want)
			}
			checked++
		}
	}
	if checked < 300 {
		t.Errorf("%d keys", checked)
	}
}

// plain returns a number or a flag as Pairs has it, "" for other texts.
func plain(value string) string {
	value = strings.ToLower(value)
	if flag, ok := map[string]string{"n": "0", "no": "0", "false": "0", "yes": "1", "true": "1"}[value]; ok {
		return flag
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil {
		return ""
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

func TestPairsOmitWhatIsUnknown(t *testing.T) {
	m := gamespy1.Status{
		HostName: "Reef", NumPlayers: new(0), Password: new(false),
		Extra: []gamespy1.Pair{{Key: "AdminName", Value: "Ann"}, {Key: "hostname", Value: "again"}},
		Players: []gamespy1.Player{
			{Index: 3, Name: "Bo", Ping: new(0), Extra: []gamespy1.Pair{{Key: "score", Value: "7"}}},
		},
	}
	want := map[string]string{
		"hostname": "again", "numplayers": "0", "password": "0", "AdminName": "Ann",
		"player_3": "Bo", "ping_3": "0", "score_3": "7",
	}
	if diff := cmp.Diff(want, maps.Collect(m.Pairs())); diff != "" {
		t.Error(diff)
	}
	for key, want := range map[string]string{"HOSTNAME": "Reef", "adminname": "Ann", "Score_3": "7"} {
		if got, ok := m.Lookup(key); got != want || !ok {
			t.Errorf("%s is %q, %v", key, got, ok)
		}
	}
	if got, ok := m.Players[0].Lookup("SCORE"); got != "7" || !ok {
		t.Errorf("score of the player: %q, %v", got, ok)
	}
	for _, key := range []string{"mapname", "score_4", "score", ""} {
		if got, ok := m.Lookup(key); got != "" || ok {
			t.Errorf("%s is %q, %v", key, got, ok)
		}
	}
	for range m.Pairs() {
		break // ends early
	}
}
