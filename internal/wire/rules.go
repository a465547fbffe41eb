package wire

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire"
)

// AppendJSONRules appends unknown members, sorted by name, to the rules of a view: a
// string as its text, another value as JSON.
func AppendJSONRules(rules []lobbywire.Rule, extra map[string]json.RawMessage) []lobbywire.Rule {
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		var value string
		if json.Unmarshal(extra[name], &value) != nil || extra[name][0] != '"' {
			value = string(extra[name])
		}
		rules = append(rules, lobbywire.Rule{Key: lobbywire.UTF8(name), Value: lobbywire.UTF8(value)})
	}
	return rules
}

// AppendRule appends a rule to those of a view, unless its value is empty.
func AppendRule(rules []lobbywire.Rule, key, value string) []lobbywire.Rule {
	if value == "" {
		return rules
	}
	return append(rules, lobbywire.Rule{Key: key, Value: lobbywire.UTF8(value)})
}

// AppendNumberRule appends a rule to those of a view, unless the number is 0.
func AppendNumberRule(rules []lobbywire.Rule, key string, n uint32) []lobbywire.Rule {
	if n == 0 {
		return rules
	}
	return AppendRule(rules, key, strconv.FormatUint(uint64(n), 10))
}
