package formats

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/sqp"
)

// HeaderKeys are the keys of options in the header of a file, see [Options.Set].
var HeaderKeys = []string{"Chunks", "Keys", "Query", "Secret", "Fields", "Challenge", "Part", "NoList"}

// Set sets an option from a line "# Key: value" in the header of a file. Flags are set by the
// value "yes".
func (o *Options) Set(key, value string) (err error) {
	switch key {
	case "Chunks":
		return MaskFlag[sqp.Chunks]{Mask: &o.Chunks, All: sqp.AllChunks}.Set(value)
	case "Keys":
		o.Keys, err = strconv.Atoi(value)
	case "Query":
		return QueryFlag{&o.Query}.Set(value)
	case "Secret":
		o.ServerBrowsing.Secret = value
	case "Fields":
		return KeysFlag{&o.ServerBrowsing.Keys}.Set(value)
	case "Challenge":
		o.Challenge = value == "yes"
	case "Part":
		o.Part = value == "yes"
	case "NoList":
		o.ServerBrowsing.NoList = value == "yes"
	default:
		return fmt.Errorf("no option %q", key)
	}
	return err
}

// Get returns the value of an option in the form of Set, or "" if it has its default.
func (o Options) Get(key string) string {
	yes := map[bool]string{true: "yes"}
	switch key {
	case "Chunks":
		if o.Chunks != DefaultOptions().Chunks {
			return o.Chunks.String()
		}
	case "Keys":
		if o.Keys != 0 {
			return strconv.Itoa(o.Keys)
		}
	case "Query":
		if o.Query != 0 {
			return o.Query.String()
		}
	case "Secret":
		return o.ServerBrowsing.Secret
	case "Fields":
		return KeysFlag{&o.ServerBrowsing.Keys}.String()
	case "Challenge":
		return yes[o.Challenge]
	case "Part":
		return yes[o.Part]
	case "NoList":
		return yes[o.ServerBrowsing.NoList]
	}
	return ""
}

// A QueryFlag is a flag for a query of gamespy1, by its name.
type QueryFlag struct{ Query *gamespy1.Query }

func (f QueryFlag) String() string { return f.Query.String() }

func (f QueryFlag) Type() string { return "QUERY" }

func (f QueryFlag) Set(s string) error {
	i := slices.Index(f.All(), strings.ToLower(s))
	if i < 0 {
		return fmt.Errorf("%q is not one of %s", s, strings.Join(f.All(), ", "))
	}
	*f.Query = gamespy1.Query(i)
	return nil
}

// All returns the names of the queries, in their order.
func (f QueryFlag) All() (names []string) {
	for q := gamespy1.QueryStatus; q <= gamespy1.QueryRules; q++ {
		names = append(names, q.String())
	}
	return names
}

// A MaskFlag is a flag for a set of bits: numbers, or names, joined by | or commas. "all"
// means all bits with names, "none" is 0.
type MaskFlag[M interface {
	~uint8
	String() string
}] struct {
	Mask *M
	All  M // the bits that have names
}

func (f MaskFlag[M]) String() string { return (*f.Mask).String() }

func (f MaskFlag[M]) Type() string { return "MASK" }

func (f MaskFlag[M]) Set(s string) error {
	var mask M
	for name := range strings.FieldsFuncSeq(s, func(c rune) bool { return c == '|' || c == ',' }) {
		bits, err := f.bits(strings.TrimSpace(name))
		if err != nil {
			return err
		}
		mask |= bits
	}
	*f.Mask = mask
	return nil
}

// bits returns the bits that one name or number means.
func (f MaskFlag[M]) bits(name string) (M, error) {
	if n, err := strconv.ParseUint(name, 0, 8); err == nil {
		return M(n), nil
	}
	switch strings.ToLower(name) {
	case "all":
		return f.All, nil
	case "none":
		return 0, nil
	}
	for bit := M(1); bit&f.All != 0; bit <<= 1 {
		if strings.EqualFold(bit.String(), name) {
			return bit, nil
		}
	}
	return 0, fmt.Errorf("%q is neither a number up to 255 nor one of %s", name, strings.Join(f.Names(), ", "))
}

// Usage describes the values of the flag.
func (f MaskFlag[M]) Usage() string {
	return "all, a number, or names with commas between: " + strings.ReplaceAll(f.All.String(), "|", ", ")
}

// Names returns what bits takes beside numbers.
func (f MaskFlag[M]) Names() []string {
	names := []string{"all", "none"}
	for bit := M(1); bit&f.All != 0; bit <<= 1 {
		names = append(names, bit.String())
	}
	return names
}

// A KeysFlag is a flag for the keys of a PushServer, by their names.
type KeysFlag struct{ Keys *[]sb2.Key }

func (f KeysFlag) String() string {
	var names []string
	for _, k := range *f.Keys {
		text, _ := k.MarshalText() // never fails
		names = append(names, string(text))
	}
	return strings.Join(names, ",")
}

func (f KeysFlag) Type() string { return "NAMES" }

func (f KeysFlag) Set(s string) error {
	var keys []sb2.Key
	for name := range strings.SplitSeq(s, ",") {
		var k sb2.Key
		if err := k.UnmarshalText([]byte(name)); err != nil {
			return err
		}
		keys = append(keys, k)
	}
	*f.Keys = keys
	return nil
}
