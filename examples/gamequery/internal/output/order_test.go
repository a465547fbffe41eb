package output

import (
	"slices"
	"strings"
	"testing"
)

// Unknown members are last in both directions, and addresses are ordered numerically.
func TestOrderPutsUnknownLast(t *testing.T) {
	records := map[string]Record{
		"a": {"address": "10.0.0.1:5", "players": 9, "name": "b", "password": true},
		"b": {"address": "9.0.0.1:50", "players": 10, "name": "A"},
		"c": {"address": "9.0.0.1:6", "name": "C", "password": false},
	}
	for by, want := range map[string]string{
		"players": "a b c", "-players": "b a c", "--players": "b a c", "address": "c b a", "name": "b a c", "-name": "c a b",
		"password": "c a b", "-password,name": "a c b",
	} {
		o, err := parseOrder(by)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.SortedFunc(slices.Values([]string{"a", "b", "c"}),
			func(x, y string) int { return o.compare(records[x], records[y]) })
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", by, got, want)
		}
	}
}
