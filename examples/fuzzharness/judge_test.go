package fuzzharness

import (
	"testing"

	"github.com/lobbywire/lobbywire/examples/fuzzharness/vectors"
)

// Expect says of each vector what ExpectSQP and its siblings say, with the token of the vector.
func TestExpectDecidesForVectors(t *testing.T) {
	const must, may, mustNot = "must", "may", "must not"
	want := map[string]string{
		"sqp/challenge_request":            must,
		"sqp/query_info":                   must,
		"bomberman/content_null":           may,
		"gameagent/status_request":         must,
		"bomberman/query_game_servers_cut": mustNot,
	}
	kinds := map[string]int{}
	for _, pkg := range []string{"sqp", "gamespy2", "gameagent", "bomberman"} {
		all, err := vectors.Of(pkg, "client to server", "client to master")
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range all {
			least, most, ok := Expect(pkg, v.Bytes)
			got := may
			switch {
			case least > 0:
				got = must
			case most == 0:
				got = mustNot
			}
			kinds[got]++
			if w := want[v.Name]; !ok || w != "" && w != got {
				t.Errorf("%s: %d to %d answers, %v", v.Name, least, most, ok)
			}
			delete(want, v.Name)
		}
	}
	if len(want) > 0 || len(kinds) != 3 {
		t.Errorf("not found: %v; %v", want, kinds)
	}
	if _, _, ok := Expect("warzone", nil); ok {
		t.Error("package warzone is known")
	}
}
