package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/lobbywire/lobbywire/examples/internal/dump"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/examples/internal/input"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/sqp"
)

// addFormFlags adds the flags for the form of files.
func addFormFlags(flags *pflag.FlagSet, form *string) {
	flags.Var(formFlag{form}, "as", "form of the files: "+strings.Join(forms, ", ")+"; by default as they look")
	flags.BoolFunc("hex", "the same as -as hex: hexadecimal with comments after #", func(string) error {
		*form = dump.Hex
		return nil
	})
}

// forms are the values of the flag as.
var forms = []string{input.Raw, dump.Hex, dump.Base64}

// A formFlag is a flag for the form of files.
type formFlag struct{ form *string }

func (f formFlag) String() string { return *f.form }

func (f formFlag) Type() string { return "FORM" }

func (f formFlag) Set(s string) error {
	if !slices.Contains(forms, s) {
		return fmt.Errorf("it is %s", strings.Join(forms, ", "))
	}
	*f.form = s
	return nil
}

// Names returns the values of the flag.
func (f formFlag) Names() []string { return forms }

// addMessageFlags adds the flags for information that messages do not contain.
func addMessageFlags(flags *pflag.FlagSet, o *formats.Options) {
	chunks := formats.MaskFlag[sqp.Chunks]{Mask: &o.Chunks, All: sqp.AllChunks}
	flags.Var(chunks, "chunks", "for sqp.QueryResponse, the requested chunks: "+chunks.Usage())
	flags.BoolVar(&o.Challenge, "challenge", false,
		"for gamespy2.Request, decode a query with a challenge")
	sections := formats.MaskFlag[gamespy2.Sections]{Mask: &o.Sections, All: gamespy2.AllSections}
	flags.Var(sections, "sections", "for gamespy2.Response in plain form, the requested sections: "+
		sections.Usage()+"; with none, they are guessed")
	flags.BoolVar(&o.Part, "part", false,
		"for gamespy2.Response, gameagent.Players and gamespy1.Status, decode one "+
			"packet of a split answer by itself")
	flags.IntVar(&o.Keys, "keys", 0,
		"for gamespy2.Values, the `NUMBER` of requested keys")
	flags.StringVar(&o.ServerBrowsing.Secret, "secret", "",
		"for sb2.Answer, sb2.MasterStream and captures, the secret `KEY` of the game, or "+
			"NAME=KEY,NAME=KEY for several games")
	flags.Var(requestFlag{&o.ServerBrowsing.Request}, "request",
		"for sb2.Answer and sb2.MasterStream, a `FILE` with the ListRequest that it answers")
	flags.BoolVar(&o.ServerBrowsing.NoList, "nolist", false,
		"for sb2.List, the request was not for a list")
	flags.Var(formats.KeysFlag{Keys: &o.ServerBrowsing.Keys}, "fields",
		"for sb2.PushServer, the keys of its fields: `NAMES` with commas between, and "+
			":byte or :short after the names of numbers")
	flags.Var(formats.QueryFlag{Query: &o.Query}, "query",
		"for gamespy1.Status, the query that it answers: status, info, basic, "+
			"players or rules")
}

// A requestFlag is a flag for a file with a ListRequest.
type requestFlag struct{ request *sb2.ListRequest }

func (f requestFlag) String() string { return "" }

func (f requestFlag) Type() string { return "FILE" }

func (f requestFlag) Set(name string) error {
	if name == input.Stdin {
		return errors.New("standard input is for MESSAGE")
	}
	in := input.Reader{Say: os.Stderr}
	b, err := in.Read(name, func(b []byte) bool {
		_, err := sb2.ParseListRequest(b)
		return err == nil
	})
	if err == nil {
		*f.request, err = sb2.ParseListRequest(b)
	}
	return err
}
