package safety_test

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/netip"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/filter"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// codecs are the packages of codecs.
var codecs = []codec{
	{dir: "sqp", options: []any{sqp.Options{}},
		functions: []any{sqp.ParseChallengeRequest, sqp.ParseChallengeResponse, sqp.ParseQueryRequest, sqp.ParseRequest}},
	{dir: "gamespy2", options: []any{gamespy2.Options{},
		gamespy2.Options{Sections: gamespy2.SectionInfo | gamespy2.SectionPlayers | gamespy2.SectionTeams}},
		functions: []any{gamespy2.ParseEchoResponse, gamespy2.ParsePacket}},
	{dir: "gamespy2/qr2", options: []any{qr2.Options{}}, functions: []any{qr2.ParseClientMessage}},
	{dir: "gamespy2/filter", options: []any{filter.Options{}}},
	{dir: "gamespy2/sb2", options: []any{sb2.Options{}, sb2.Options{Keys: []sb2.Key{{Name: "a"}, {Name: "b"}}}},
		functions: []any{sb2.ParseDeleteServer, sb2.ParseHead, sb2.ParseKeepalive, sb2.ParseMapLoop,
			sb2.ParseMapLoopRequest, sb2.ParseMessageRequest, sb2.ParsePlayerSearchRequest, sb2.ParsePushKeys,
			sb2.ParseRulesRequest, sb2.ParseUnknown}},
	{dir: "gameagent", options: []any{gameagent.Options{}}, functions: []any{gameagent.ParsePing}},
	{dir: "gameagent/gamespy1", options: []any{gamespy1.Options{}, gamespy1.Options{Query: gamespy1.QueryPlayers}},
		functions: []any{gamespy1.ParseEchoReply, gamespy1.ParseHeartbeat, gamespy1.ParseValidation}},
	{dir: "bomberman", options: []any{bomberman.Options{}}},
	{dir: "warzone", options: []any{warzone.Options{}, warzone.Options{Layout: warzone.Layout20},
		warzone.Options{Layout: warzone.Layout21}, warzone.Options{Layout: warzone.Layout23}},
		functions: []any{warzone.ParseAliveReply, warzone.ParseAliveRequest, warzone.ParseGameIDReply}},
	{dir: "warzone/wzproposal", options: []any{wzproposal.Options{}, wzproposal.Options{Encoding: wzproposal.Binary}}},
	{dir: "warzone/wzhttp", options: []any{wzhttp.Options{}}, functions: []any{wzhttp.ParseProbe, wzhttp.ParseProbeReply}},
	{dir: "warzone/wzjson", options: []any{wzjson.Options{}}},
}

// A codec is a package of codecs.
type codec struct {
	dir       string
	options   []any // Options, whose methods are parsers
	functions []any // the parsers that are no methods of Options
}

func (c codec) name() string { return filepath.Base(c.dir) }

func (c codec) path() string { return filepath.Join("..", "..", "..", filepath.FromSlash(c.dir)) }

// variants returns the Options of c, also with raised limits, and each switch on.
func (c codec) variants() (all []reflect.Value) {
	for _, options := range c.options {
		v := reflect.ValueOf(options)
		all = append(all, v)
		raised := reflect.New(v.Type()).Elem()
		raised.Set(v)
		for f, part := range raised.Fields() {
			if strings.HasPrefix(f.Name, "Max") {
				part.SetInt(1 << 30)
			}
		}
		all = append(all, raised)
		for f := range raised.Fields() {
			if f.Type.Kind() == reflect.Bool {
				switched := reflect.New(v.Type()).Elem()
				switched.Set(raised)
				switched.FieldByIndex(f.Index).SetBool(true)
				all = append(all, switched)
			}
		}
	}
	return all
}

// A seed is a valid input, and the fields of it.
type seed struct {
	b      []byte
	fields []golden.Field
}

// seeds returns the golden files of c, whole and without what frames them.
func (c codec) seeds(t *testing.T) (all []seed) {
	t.Helper()
	files, err := golden.ReadDir(c.path())
	must(t, err)
	for _, f := range files {
		fields := f.Fields()
		all = append(all, seed{f.Data, fields})
		if c.dir == "bomberman" {
			payload, _, err := bomberman.NextFrame(f.Data, bomberman.MaxPayload)
			if err == nil {
				at := bytes.Index(f.Data, payload)
				all = append(all, seed{payload, within(fields, at, at+len(payload))})
			}
		}
	}
	return all
}

// within returns the fields of a part.
func within(fields []golden.Field, start, end int) (part []golden.Field) {
	for _, f := range fields {
		if f.Offset >= start && f.Offset+f.Length <= end {
			f.Offset -= start
			part = append(part, f)
		}
	}
	return part
}

// arguments are the additional arguments of parsers, by type.
var arguments = map[reflect.Type]reflect.Value{
	reflect.TypeFor[sqp.Chunks](): reflect.ValueOf(sqp.AllChunks),
	reflect.TypeFor[int]():        reflect.ValueOf(2),
}

// parserOf returns the parser that is the value of a function or a bound method. ok is false if
// it takes what arguments do not have.
func parserOf(f reflect.Value) (parse func(b []byte) error, ok bool) {
	rest := make([]reflect.Value, f.Type().NumIn())
	for i := 1; i < len(rest); i++ {
		if rest[i], ok = arguments[f.Type().In(i)]; !ok {
			return nil, false
		}
	}
	return func(b []byte) error {
		in := slices.Clone(rest)
		in[0] = reflect.ValueOf(b)
		err, _ := f.Call(in)[1].Interface().(error)
		return err
	}, true
}

// parsers returns all parsers of the codecs. It fails t if the packages declare others.
func parsers(t *testing.T) (all []subject) {
	t.Helper()
	for _, c := range codecs {
		found := make(map[string]subject)
		seeds := c.seeds(t)
		add := func(name string, parse func(b []byte) error) {
			s := found[name]
			s.name = c.name() + "." + name
			for _, g := range seeds {
				if parse(g.b) != nil {
					continue
				}
				for _, one := range stretches(g.b, g.fields) {
					s.all = append(s.all, try{one.of, parse})
				}
			}
			found[name] = s
		}
		for _, f := range c.functions {
			full := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
			parse, _ := parserOf(reflect.ValueOf(f))
			add(full[strings.LastIndex(full, ".")+1:], parse)
		}
		for _, o := range c.variants() {
			for i := range o.NumMethod() {
				name := o.Type().Method(i).Name
				if parse, ok := parserOf(o.Method(i)); ok && strings.HasPrefix(name, "Parse") {
					add(name, parse)
				}
			}
		}
		if c.dir == "gamespy2/sb2" {
			found["ParseAnswer"] = subject{"sb2.ParseAnswer", encryptedLists(t, c)}
		}
		names := slices.Sorted(maps.Keys(found))
		if want := declaredParsers(t, c); !slices.Equal(names, want) {
			t.Errorf("%s has the parsers\n%q\nbut these are timed:\n%q", c.dir, want, names)
		}
		for _, name := range names {
			all = append(all, found[name])
		}
	}
	return all
}

// declaredParsers returns the names of the parsers that a package declares.
func declaredParsers(t *testing.T, c codec) (names []string) {
	for _, fn := range functionsOf(t, c) {
		if name := fn.Name.Name; strings.HasPrefix(name, "Parse") && (fn.Recv == nil || receiverOf(fn) == "Options") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// functionsOf returns the functions and methods that a package declares.
func functionsOf(t *testing.T, c codec) (all []*ast.FuncDecl) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(c.path(), "*.go"))
	must(t, err)
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		must(t, err)
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.IsExported() {
				all = append(all, fn)
			}
		}
	}
	return all
}

// receiverOf returns the receiver type of a method, "" for a function.
func receiverOf(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	typ := fn.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	name, _ := typ.(*ast.Ident)
	return name.Name
}

// All packages with golden files are among the codecs, and every function that joins or cuts their
// parts is timed.
func TestReadersAreTimed(t *testing.T) {
	packages, err := golden.Packages(filepath.Join("..", "..", ".."))
	must(t, err)
	var dirs, want, got []string
	for _, c := range codecs {
		dirs = append(dirs, c.dir)
		for _, fn := range functionsOf(t, c) {
			if name := fn.Name.Name; (name == "Add" || strings.HasPrefix(name, "Next")) && readsPart(fn) {
				want = append(want, c.name()+"."+receiverOf(fn)+"."+name)
			}
		}
	}
	slices.Sort(dirs)
	if !slices.Equal(dirs, packages) {
		t.Errorf("these packages have golden files:\n%q\nbut these are tested:\n%q", packages, dirs)
	}
	for _, s := range slices.Concat(assemblers(t), cutters(t)) {
		got = append(got, s.name)
		if len(s.all) == 0 {
			t.Errorf("no golden file suits %s", s.name)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		t.Errorf("these methods take parts:\n%q\nbut these are timed:\n%q", want, got)
	}
}

// readsPart reports whether fn is a method that takes bytes.
func readsPart(fn *ast.FuncDecl) bool {
	if fn.Recv == nil || fn.Type.Params.NumFields() != 1 {
		return false
	}
	bytes, ok := fn.Type.Params.List[0].Type.(*ast.ArrayType)
	if !ok {
		return false
	}
	element, ok := bytes.Elt.(*ast.Ident)
	return ok && element.Name == "byte"
}

func codecIn(dir string) codec {
	return codecs[slices.IndexFunc(codecs, func(c codec) bool { return c.dir == dir })]
}

// assemblers returns all Assemblers, each with many packets that differ in their ids and in other
// fields.
func assemblers(t *testing.T) (all []subject) {
	t.Helper()
	for _, a := range []struct {
		name, dir string
		make      func() (add func(b []byte) (bool, error), missing func() []int, result func() error)
	}{
		{"sqp.Assembler.Add", "sqp", func() (func([]byte) (bool, error), func() []int, func() error) {
			a := sqp.Assembler{MaxAnswer: 1 << 30}
			return a.Add, a.Missing, func() error { _, err := a.QueryResponse(sqp.AllChunks); return err }
		}},
		{"gamespy2.Assembler.Add", "gamespy2", func() (func([]byte) (bool, error), func() []int, func() error) {
			a := gamespy2.Assembler{MaxAnswer: 1 << 30}
			return a.Add, a.Missing, func() error { _, err := a.Response(); return err }
		}},
		{"gameagent.Assembler.Add", "gameagent", func() (func([]byte) (bool, error), func() []int, func() error) {
			var a gameagent.Assembler
			return a.Add, a.Missing, func() error { _, err := a.Players(); return err }
		}},
		{"gameagent.ListAssembler.Add", "gameagent", func() (func([]byte) (bool, error), func() []int, func() error) {
			var a gameagent.ListAssembler
			return a.Add, a.Missing, func() error { _, err := a.ServerList(); return err }
		}},
		{"gamespy1.Assembler.Add", "gameagent/gamespy1", func() (func([]byte) (bool, error), func() []int, func() error) {
			var a gamespy1.Assembler
			return a.Add, a.Missing, func() error { _, err := a.Status(); return err }
		}},
	} {
		s := subject{name: a.name}
		for _, g := range codecIn(a.dir).seeds(t) {
			if add, _, _ := a.make(); len(g.b) == 0 || !isAdded(add(g.b)) {
				continue
			}
			read := func(b []byte) error {
				add, missing, result := a.make()
				for packet := range slices.Chunk(b, len(g.b)) {
					_, _ = add(packet) // a refusal too takes time
				}
				missing()
				return result()
			}
			for _, one := range mixes(g.b, g.fields) {
				s.all = append(s.all, try{one.of, read})
			}
		}
		all = append(all, s)
	}
	return all
}

func isAdded(_ bool, err error) bool { return err == nil }

// cutters returns what cuts streams, which arrive byte by byte.
func cutters(t *testing.T) (all []subject) {
	t.Helper()
	for _, a := range []struct {
		name, dir string
		make      func() func(b []byte) (rest []byte, err error)
	}{
		{"bomberman.Framer.Next", "bomberman", func() func(b []byte) ([]byte, error) {
			f := bomberman.Framer{Options: bomberman.Options{MaxPayload: 1 << 30}}
			return func(b []byte) ([]byte, error) { _, rest, err := f.Next(b); return rest, err }
		}},
		{"warzone.HostStream.NextRequest", "warzone", func() func(b []byte) ([]byte, error) {
			var f warzone.HostStream
			return func(b []byte) ([]byte, error) { _, rest, err := f.NextRequest(b); return rest, err }
		}},
		{"warzone.LobbyStream.NextResponse", "warzone", func() func(b []byte) ([]byte, error) {
			f := warzone.LobbyStream{HasGameID: true}
			return func(b []byte) ([]byte, error) { _, rest, err := f.NextResponse(b); return rest, err }
		}},
		{"wzjson.Framer.Next", "warzone/wzjson", func() func(b []byte) ([]byte, error) {
			f := wzjson.Framer{Options: wzjson.Options{MaxFrame: 1 << 30}}
			return func(b []byte) ([]byte, error) { _, rest, err := f.Next(b); return rest, err }
		}},
		{"wzproposal.Framer.Next", "warzone/wzproposal", func() func(b []byte) ([]byte, error) {
			f := wzproposal.Framer{Options: wzproposal.Options{Transcript: true, MaxLine: 1 << 30}}
			return func(b []byte) ([]byte, error) { _, rest, err := f.Next(b); return rest, err }
		}},
		{"wzproposal.Framer.NextRequest", "warzone/wzproposal", func() func(b []byte) ([]byte, error) {
			f := wzproposal.Framer{Options: wzproposal.Options{MaxLine: 1 << 30}}
			return func(b []byte) ([]byte, error) { _, rest, err := f.NextRequest(b); return rest, err }
		}},
		{"wzproposal.Framer.NextResponse", "warzone/wzproposal", func() func(b []byte) ([]byte, error) {
			var f *wzproposal.Framer
			return func(b []byte) ([]byte, error) {
				if f == nil {
					f = &wzproposal.Framer{Options: wzproposal.Options{MaxLine: 1 << 30}}
					if b[0] < ' ' {
						f.Options.Encoding = wzproposal.Binary
					}
				}
				_, rest, err := f.NextResponse(b)
				return rest, err
			}
		}},
	} {
		s := subject{name: a.name}
		read := func(b []byte) error { return byByte(b, a.make()) }
		for _, g := range codecIn(a.dir).seeds(t) {
			whole := stretch{b: g.b, end: len(g.b)}
			for _, one := range append(stretches(g.b, g.fields), whole) {
				s.all = append(s.all, try{one.of, read})
			}
		}
		all = append(all, s)
	}
	return append(all, listReader(t), masterStream(t, "NextServer"), masterStream(t, "NextPush"))
}

// byByte passes the bytes of a stream to next, one more in each call.
func byByte(b []byte, next func(b []byte) (rest []byte, err error)) error {
	start := 0
	for end := 1; end <= len(b); end++ {
		for start < end {
			rest, err := next(b[start:end])
			if err == lobbywire.ErrTruncated {
				start = end - len(rest)
				break
			}
			if err != nil && len(rest) == end-start {
				return err // it knows no next message
			}
			start = end - len(rest)
		}
	}
	return nil
}

// listReader is the reader of lists of the HTTP lobby.
func listReader(t *testing.T) subject {
	s := subject{name: "wzhttp.ListReader.Add"}
	read := func(b []byte) error {
		l := wzhttp.ListReader{Options: wzhttp.Options{MaxList: 1 << 30}}
		for i := range b {
			for range l.Add(b[i : i+1]) {
				continue
			}
		}
		return nil
	}
	for _, g := range codecIn("warzone/wzhttp").seeds(t) {
		line := append(bytes.TrimSpace(g.b), '\n')
		for _, one := range append(stretches(g.b, g.fields), stretch{b: line, end: len(line)}) {
			s.all = append(s.all, try{one.of, read})
		}
	}
	return s
}

// The secret key of a game, a client of it, and the start of the answer of its master.
const secret = "HA6zkS"

var (
	listRequest = sb2.ListRequest{Challenge: sb2.MakeChallenge([8]byte{1, 2, 3, 4, 5, 6, 7, 8})}
	answerHead  = sb2.Head{Random: []byte("random"), Challenge: []byte("ABCDEFGHIJKLMNOPQRSTUVWXY")}
)

// encrypted returns what a master sends, from what follows the head.
func encrypted(t *testing.T, plain []byte) []byte {
	t.Helper()
	b, err := answerHead.AppendBinary(nil)
	must(t, err)
	cipher, err := sb2.NewCipher(secret, listRequest.Challenge, answerHead.Challenge)
	must(t, err)
	b = append(b, plain...)
	part := b[len(b)-len(plain):]
	cipher.Encrypt(part, part)
	return b
}

// encryptedLists returns encrypted lists.
func encryptedLists(t *testing.T, c codec) (all []try) {
	for _, o := range []sb2.Options{{}, {Strict: true}} {
		read := func(b []byte) error { _, err := o.ParseAnswer(b, secret, listRequest); return err }
		for _, g := range c.seeds(t) {
			if _, err := o.ParseList(g.b); err != nil {
				continue
			}
			for _, one := range stretches(g.b, g.fields) {
				all = append(all, try{func(size int) []byte { return encrypted(t, one.of(size)) }, read})
			}
		}
	}
	return all
}

// masterStream is the subject that reads the stream of a GameSpy master with a method.
func masterStream(t *testing.T, method string) subject {
	c := codecIn("gamespy2/sb2")
	list, err := sb2.List{ClientIP: netip.AddrFrom4([4]byte{192, 0, 2, 1})}.AppendBinary(nil)
	must(t, err)
	s := subject{name: "sb2.MasterStream." + method}
	read := func(b []byte) error {
		m := sb2.MasterStream{Secret: secret, Request: listRequest}
		for i := range b {
			for rest := b[i : i+1]; ; {
				var err error
				if method == "NextPush" {
					_, rest, err = m.NextPush(rest)
				} else {
					_, rest, err = m.NextServer(rest)
				}
				if errors.Is(err, lobbywire.ErrTruncated) {
					break
				}
				if err != nil {
					return err
				}
			}
		}
		return nil
	}
	add := func(before []byte, all []stretch) {
		for _, one := range all {
			s.all = append(s.all, try{func(size int) []byte {
				return encrypted(t, append(slices.Clone(before), one.of(size)...))
			}, read})
		}
	}
	for _, g := range c.seeds(t) {
		if _, err := sb2.ParseList(g.b); err == nil {
			add(nil, stretches(g.b, g.fields))
		}
		if _, err := sb2.ParsePush(g.b); err == nil {
			add(list, append(stretches(g.b, g.fields), stretch{b: g.b, end: len(g.b)}))
		}
	}
	return s
}
