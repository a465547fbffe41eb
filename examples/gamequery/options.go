package main

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

// options are for decoding. Some messages cannot be decoded without knowledge of the
// request.
type options struct {
	strict bool // accept only what the specification allows
	part   bool // decode one packet of a split answer by itself

	chunks sqp.Chunks // in an sqp answer

	challenge bool              // gamespy2 queries have a challenge
	sections  gamespy2.Sections // in a plain gamespy2 answer; 0 means to guess
	keys      int               // number of values in a gamespy2 answer without names

	sb2 sb2Context

	query gameagent.LegacyQuery // that a gameagent LegacyStatus answers
}

func defaultOptions() options { return options{chunks: sqp.ChunkServerInfo} }

// addFlags adds the flags for what messages do not contain themselves.
func (o *options) addFlags(flags *pflag.FlagSet) {
	flags.Var(maskFlag[sqp.Chunks]{&o.chunks, sqp.AllChunks}, "chunks",
		"for sqp.QueryResponse, the requested chunks: a number,\n"+
			"all, or names such as "+sqp.AllChunks.String()+"\n")
	flags.BoolVar(&o.challenge, "challenge", false,
		"for gamespy2.Request, decode a query with a challenge")
	flags.Var(maskFlag[gamespy2.Sections]{&o.sections, gamespy2.AllSections}, "sections",
		"for gamespy2.Response in plain form, the requested sections: a number,\n"+
			"all, or names such as "+gamespy2.AllSections.String()+"; none to guess\n")
	flags.BoolVar(&o.part, "part", false,
		"for gamespy2.Response, gameagent.Players and gameagent.LegacyStatus, decode one\n"+
			"packet of a split answer by itself")
	flags.IntVar(&o.keys, "keys", 0,
		"for gamespy2.Values, the number of requested keys")
	flags.StringVar(&o.sb2.secret, "secret", "",
		"for sb2.Answer, sb2.MasterStream and captures, the secret key of the game, or\n"+
			"NAME=KEY,NAME=KEY for several games")
	flags.Var(requestFlag{&o.sb2.request}, "request",
		"for sb2.Answer and sb2.MasterStream, the ListRequest that it answers")
	flags.BoolVar(&o.sb2.noList, "nolist", false,
		"for sb2.List, the request was not for a list")
	flags.Var(keysFlag{&o.sb2.keys}, "fields",
		"for sb2.PushServer, the keys of its fields: names separated by commas, with\n"+
			":byte or :short after the names of numbers\n")
	flags.Var(queryFlag{&o.query}, "query",
		"for gameagent.LegacyStatus, the query that it answers: status, info, basic,\n"+
			"players or rules\n")
}

// A queryFlag is a flag for a query of gameagent, by its name.
type queryFlag struct{ query *gameagent.LegacyQuery }

func (f queryFlag) String() string { return f.query.String() }

func (f queryFlag) Type() string { return "QUERY" }

func (f queryFlag) Set(s string) error {
	i := slices.Index(f.all(), strings.ToLower(s))
	if i < 0 {
		return fmt.Errorf("%q is not one of %s", s, strings.Join(f.all(), ", "))
	}
	*f.query = gameagent.LegacyQuery(i)
	return nil
}

// all returns the names of the queries, in their order.
func (f queryFlag) all() (names []string) {
	for q := gameagent.LegacyQueryStatus; q <= gameagent.LegacyQueryRules; q++ {
		names = append(names, q.String())
	}
	return names
}

// A maskFlag is a flag for a set of bits: numbers, or names, joined by | or
// commas. "all" are those that have names, "none" is 0.
type maskFlag[M interface {
	~uint8
	String() string
}] struct {
	mask *M
	all  M // the bits that have names
}

func (f maskFlag[M]) String() string { return (*f.mask).String() }

func (f maskFlag[M]) Type() string { return "MASK" }

func (f maskFlag[M]) Set(s string) error {
	var mask M
	for name := range strings.FieldsFuncSeq(s, func(c rune) bool { return c == '|' || c == ',' }) {
		bits, err := f.bits(strings.TrimSpace(name))
		if err != nil {
			return err
		}
		mask |= bits
	}
	*f.mask = mask
	return nil
}

// bits returns the bits that one name or number means.
func (f maskFlag[M]) bits(name string) (M, error) {
	if n, err := strconv.ParseUint(name, 0, 8); err == nil {
		return M(n), nil
	}
	switch strings.ToLower(name) {
	case "all":
		return f.all, nil
	case "none":
		return 0, nil
	}
	for bit := M(1); bit&f.all != 0; bit <<= 1 {
		if strings.EqualFold(bit.String(), name) {
			return bit, nil
		}
	}
	return 0, fmt.Errorf("%q is neither a number up to 255 nor one of %s", name, strings.Join(f.names(), ", "))
}

// names returns what bits takes beside numbers.
func (f maskFlag[M]) names() []string {
	names := []string{"all", "none"}
	for bit := M(1); bit&f.all != 0; bit <<= 1 {
		names = append(names, bit.String())
	}
	return names
}
