package wire

import (
	"strconv"

	"github.com/lobbywire/lobbywire"
)

// AppendRule appends a rule of a view, unless its value is empty.
func AppendRule(rules []lobbywire.Rule, key, value string) []lobbywire.Rule {
	if value == "" {
		return rules
	}
	return append(rules, lobbywire.Rule{Key: key, Value: lobbywire.UTF8(value)})
}

// AppendNumberRule appends a rule of a view, unless the number is 0.
func AppendNumberRule(rules []lobbywire.Rule, key string, n uint32) []lobbywire.Rule {
	if n == 0 {
		return rules
	}
	return AppendRule(rules, key, strconv.FormatUint(uint64(n), 10))
}
