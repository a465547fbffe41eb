package formats

import "testing"

func TestOptionsRefuseUnknownValues(t *testing.T) {
	for key, tt := range map[string]struct{ known, unknown string }{
		"Chunks": {"serverInfo|metrics", "serverInfo|all of them"},
		"Keys":   {"3", "three"},
		"Query":  {"players", "player"},
		"Fields": {"team:byte,score:text", "team:number"},
	} {
		var o Options
		if err := o.Set(key, tt.unknown); err == nil {
			t.Errorf("%s: %s is accepted", key, tt.unknown)
		}
		if err := o.Set(key, tt.known); err != nil || o.Get(key) != tt.known {
			t.Errorf("%s: set to %s, got %q, %v", key, tt.known, o.Get(key), err)
		}
	}
	if err := new(Options).Set("Part of it", "yes"); err == nil {
		t.Error("an unknown key is accepted")
	}
}
