package wirejson

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/lobbywire/lobbywire"
)

// AppendRules appends unknown members, sorted by name, to the rules of a view: a
// string as its text, another value as JSON.
func AppendRules(rules []lobbywire.Rule, extra map[string]json.RawMessage) []lobbywire.Rule {
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		var value string
		if json.Unmarshal(extra[name], &value) != nil || extra[name][0] != '"' {
			value = string(extra[name])
		}
		rules = append(rules, lobbywire.Rule{Key: lobbywire.UTF8(name), Value: lobbywire.UTF8(value)})
	}
	return rules
}
