package sqp

import "github.com/lobbywire/lobbywire/internal/wire"

// A Rule is a setting of the server, an entry of the ServerRules chunk. The chunk consists
// of entries up to its end, without a count. Order and duplicate keys are kept. The type of
// the value stands between key and value.
type Rule struct {
	Key   string // at most 255 bytes
	Value Value
}

// minRule is the size of the smallest rule: empty key, type, one byte.
const minRule = 3

func decodeServerRules(r *wire.Reader, _ Options) []Rule {
	rules := make([]Rule, 0, min(r.Len()/minRule, expectedRules))
	for i := 0; r.Len() > 0; i++ {
		r.In("serverRules", i)
		key := r.Text8("key")
		t := ValueType(r.Uint8("type"))
		rules = append(rules, Rule{key, decodeValue(r, t)})
	}
	return rules
}

// expectedRules is the number of rules to expect of a server.
const expectedRules = 16

func appendServerRules(w *wire.Writer, rules []Rule) {
	for i, rule := range rules {
		w.In("serverRules", i)
		w.Text8("key", rule.Key)
		w.Uint8(uint8(rule.Value.typ))
		rule.Value.append(w)
		if !rule.Value.typ.known() && i < len(rules)-1 {
			w.Fail(wire.Unsupported("is unknown, and only the last rule can be"), "type")
		}
	}
}
