package formats

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/sqp"
)

// Options are for decoding. Some messages cannot be decoded without knowledge of the
// request.
type Options struct {
	Strict bool // accept only what the specification allows
	Part   bool // decode one packet of a split answer by itself

	Chunks sqp.Chunks // in an sqp answer

	Challenge bool              // gamespy2 queries have a challenge
	Sections  gamespy2.Sections // in a plain gamespy2 answer; 0 means to guess
	Keys      int               // number of values in a gamespy2 answer without names

	ServerBrowsing ServerBrowsing

	Query gameagent.LegacyQuery // that a gameagent LegacyStatus answers
}

// DefaultOptions returns the options if the user gives no flags.
func DefaultOptions() Options { return Options{Chunks: sqp.ChunkServerInfo} }

// AddFlags adds the flags for what messages do not contain themselves.
func (o *Options) AddFlags(flags *pflag.FlagSet) {
	chunks := MaskFlag[sqp.Chunks]{Mask: &o.Chunks, All: sqp.AllChunks}
	flags.Var(chunks, "chunks", "for sqp.QueryResponse, the requested chunks: "+chunks.Usage())
	flags.BoolVar(&o.Challenge, "challenge", false,
		"for gamespy2.Request, decode a query with a challenge")
	sections := MaskFlag[gamespy2.Sections]{Mask: &o.Sections, All: gamespy2.AllSections}
	flags.Var(sections, "sections", "for gamespy2.Response in plain form, the requested sections: "+
		sections.Usage()+"; with none, they are guessed")
	flags.BoolVar(&o.Part, "part", false,
		"for gamespy2.Response, gameagent.Players and gameagent.LegacyStatus, decode one "+
			"packet of a split answer by itself")
	flags.IntVar(&o.Keys, "keys", 0,
		"for gamespy2.Values, the `NUMBER` of requested keys")
	flags.StringVar(&o.ServerBrowsing.Secret, "secret", "",
		"for sb2.Answer, sb2.MasterStream and captures, the secret `KEY` of the game, or "+
			"NAME=KEY,NAME=KEY for several games")
	flags.Var(requestFlag{&o.ServerBrowsing.Request}, "request",
		"for sb2.Answer and sb2.MasterStream, a `FILE` with the ListRequest that it answers")
	flags.BoolVar(&o.ServerBrowsing.noList, "nolist", false,
		"for sb2.List, the request was not for a list")
	flags.Var(keysFlag{&o.ServerBrowsing.keys}, "fields",
		"for sb2.PushServer, the keys of its fields: `NAMES` with commas between, and "+
			":byte or :short after the names of numbers")
	flags.Var(QueryFlag{&o.Query}, "query",
		"for gameagent.LegacyStatus, the query that it answers: status, info, basic, "+
			"players or rules")
}

// A QueryFlag is a flag for a query of gameagent, by its name.
type QueryFlag struct{ query *gameagent.LegacyQuery }

func (f QueryFlag) String() string { return f.query.String() }

func (f QueryFlag) Type() string { return "QUERY" }

func (f QueryFlag) Set(s string) error {
	i := slices.Index(f.All(), strings.ToLower(s))
	if i < 0 {
		return fmt.Errorf("%q is not one of %s", s, strings.Join(f.All(), ", "))
	}
	*f.query = gameagent.LegacyQuery(i)
	return nil
}

// All returns the names of the queries, in their order.
func (f QueryFlag) All() (names []string) {
	for q := gameagent.LegacyQueryStatus; q <= gameagent.LegacyQueryRules; q++ {
		names = append(names, q.String())
	}
	return names
}

// A MaskFlag is a flag for a set of bits: numbers, or names, joined by | or
// commas. "all" are those that have names, "none" is 0.
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
