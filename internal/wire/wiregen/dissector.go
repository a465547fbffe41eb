package main

import (
	"bytes"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// The parts of gamequery's dissector, from the root of the module.
const (
	dissectorRuntime = "examples/gamequery/dissector*.lua" // files written by hand
	dissectorPath    = "examples/gamequery/dissected.lua"  // generated
)

// A dissected protocol is what the dissector shows at a port. The types are messages, or
// interfaces for several; the first that fits is shown.
type dissectedProtocol struct {
	path     string // of the package
	name     string // of its preference
	title    string
	ports    string   // that are usual
	to, from []string // messages to the port and from it
	asked    string   // the field of a request that is the last parameter of decode of its answer

	stream   []string // messages over TCP, whose order dissectorRuntime knows; none if they are JSON
	names    []string // of constants that it uses for that
	encoding string   // the constant of Options.Encoding, if there are several
}

// dissected are the protocols in the order of heuristics.
var dissected = []dissectedProtocol{
	{path: "sqp", name: "sqp", title: "SQP", to: []string{"ChallengeRequest", "QueryRequest"},
		from: []string{"ChallengeResponse", "QueryResponse", "Packet"}, asked: "Chunks"},
	{path: "gamespy2", name: "gamespy2", title: "GameSpy queries", ports: "29900",
		to:   []string{"Request", "StatRequest"},
		from: []string{"ChallengeResponse", "EchoResponse", "Response"}},
	{path: "gamespy2/qr2", name: "qr2", title: "GameSpy masters", ports: "27900",
		to: []string{"ToMaster"}, from: []string{"ToServer"}},
	{path: "gameagent", name: "gameagent", title: "GameAgent servers", ports: "25601",
		to: []string{"ToServer"}, from: []string{"FromServer"}},
	{path: "gameagent", name: "gameagentmaster", title: "GameAgent masters", ports: "9005",
		to: []string{"ToMaster"}, from: []string{"ServerList", "ToServer"}},
	{path: "gamespy2/sb2", name: "sb2", title: "GameSpy server browsing", ports: "28910",
		stream: []string{"Request", "Head", "List", "Push"}, names: []string{"OptionNoList", "endIP"}},
	{path: "gameagent", name: "legacylist", title: "lists of legacy masters", ports: "28900",
		stream: []string{"ToListPort", "LegacyGreeting", "LegacyServerList", "LegacyAddressList", "LegacySyncList"},
		names:  []string{"LegacyListCompact", "legacyEnd"}},
	{path: "warzone", name: "warzone", title: "Warzone 2100 lobbies", ports: "9990",
		stream: []string{"Request", "ListReply", "GameIDReply", "Status", "Game"},
		names:  []string{"commandLetters"}},
	{path: "warzone", name: "warzonehost", title: "Warzone 2100 hosts", ports: "2100",
		stream: []string{"AliveRequest", "Request", "AliveReply", "Game"}, names: []string{"magic"}},
	{path: "bomberman", name: "bomberman", title: "Bomberman servers", ports: "51963", stream: []string{},
		names: []string{"MaxPayload", "minLength"}},
	{path: "warzone/wzjson", name: "wzjson", title: "Warzone 2100 JSON proposals", stream: []string{},
		names: []string{"MaxFrame"}},
	{path: "warzone/wzproposal", name: "wztext", title: "Warzone 2100 text proposals", encoding: "Text",
		stream: []string{"Request", "Response"}, names: []string{"MaxLine", "headerSize"}},
	{path: "warzone/wzproposal", name: "wzbinary", title: "Warzone 2100 binary proposals", encoding: "Binary",
		stream: []string{"Request", "Response"}},
}

// suppliedName matches the functions of dissectorRuntime that generated code may call.
var suppliedName = regexp.MustCompile(`(?m)^function (Reader:\w+|go\.\w+)|^(go\.\w+) =`)

// generateDissector returns the generated part of the dissector for Wireshark.
func generateDissector(root string) ([]byte, error) {
	_, module, _, err := moduleOf(root)
	if err != nil {
		return nil, err
	}
	g := newProgram(root, module)
	w := &luaWriter{
		g:         g,
		supplied:  make(map[string]bool),
		messages:  make(map[types.Object]bool),
		variables: make(map[types.Object]bool),
		reached:   make(map[*types.Func]bool),
		packages:  make(map[string]bool),
		stops:     make(map[string]string),
	}
	runtime, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dissectorRuntime)))
	if err != nil {
		return nil, err
	}
	for _, path := range runtime {
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for _, m := range suppliedName.FindAllSubmatch(source, -1) {
			w.supplied[string(m[1])+string(m[2])] = true
		}
	}
	var protocols bytes.Buffer
	for _, d := range dissected {
		if err := w.addPackage(d, &protocols); err != nil {
			return nil, err
		}
	}
	if err := w.writeFunctions(); err != nil {
		return nil, err
	}
	var fields bytes.Buffer
	kinds := w.typed()
	for _, name := range sorted(kinds) {
		fmt.Fprintf(&fields, "\t{%q, %q},\n", name, kinds[name])
	}
	var stops strings.Builder
	for _, name := range sorted(w.stops) {
		fmt.Fprintf(&stops, "-- %s ends with code(): %s.\n", name, w.stops[name])
	}
	generated := fmt.Sprintf("-- The messages, translated from their decoders.\n%s%s\n"+
		"-- The fields.\nlocal fields = {\n%s}\n\n-- The protocols.\nlocal protocols = {\n%s}\n",
		stops.String(), w.data.String()+w.text.String(), fields.String(), protocols.String())
	packages := "local " + strings.Join(sorted(w.packages), ", ") + " = " +
		strings.Repeat("{}, ", len(w.packages)-1) + "{}\n"
	return []byte("-- Code generated by internal/wire/wiregen; DO NOT EDIT.\n" + packages + generated), nil
}

// addPackage adds the messages of a package to those to write.
func (w *luaWriter) addPackage(d dissectedProtocol, out *bytes.Buffer) error {
	p, err := w.g.Import(w.g.module + "/" + d.path)
	if err != nil {
		return err
	}
	c, err := load(filepath.Join(w.g.root, filepath.FromSlash(d.path)))
	if err != nil {
		return err
	}
	for _, m := range c.messages {
		if !m.part {
			w.messages[p.Scope().Lookup(m.name)] = true
		}
	}
	set := make(map[string]string)
	if d.encoding != "" {
		set["Encoding"] = p.Scope().Lookup(d.encoding).(*types.Const).Val().ExactString()
	}
	options, err := w.structure(p.Scope().Lookup("Options").Type().Underlying().(*types.Struct), set)
	if err != nil {
		return err
	}
	for _, name := range d.names {
		x, err := literal(p.Scope().Lookup(name).(*types.Const).Val())
		if err != nil {
			return err
		}
		w.packages[packageName(p)] = true
		fmt.Fprintf(&w.data, "%s.%s = %s\n", packageName(p), name, x)
	}
	fmt.Fprintf(out, "\t{package = %q, name = %q, title = %q, ports = %q, options = %s,\n", p.Name(), d.name, d.title,
		d.ports, options)
	for _, part := range []struct {
		name  string
		types []string
	}{{"to", d.to}, {"from", d.from}, {"stream", d.stream}} {
		if part.types == nil {
			continue
		}
		fmt.Fprintf(out, "\t\t%s = {\n", part.name)
		for _, name := range part.types {
			out.WriteString("\t\t\t")
			if d.stream != nil {
				fmt.Fprintf(out, "%s = ", name)
			}
			if err := w.addEntry(p, name, d.asked, out); err != nil {
				return err
			}
		}
		out.WriteString("\t\t},\n")
	}
	out.WriteString("\t},\n")
	return nil
}

// addEntry adds the message of a type of p.
func (w *luaWriter) addEntry(p *types.Package, name, asked string, out *bytes.Buffer) error {
	o := p.Scope().Lookup(name)
	if o == nil {
		return fmt.Errorf("%s has no type %s", p.Path(), name)
	}
	if types.IsInterface(o.Type()) {
		fn, ok := p.Scope().Lookup("decode" + name).(*types.Func)
		if !ok {
			return fmt.Errorf("%s has no function decode%s", p.Path(), name)
		}
		w.use(fn)
		fmt.Fprintf(out, "function(r, o) return %s(r, o) end,\n", nameOf(fn))
		return nil
	}
	method, _, _ := types.LookupFieldOrMethod(types.NewPointer(o.Type()), true, p, "decode")
	fn, ok := method.(*types.Func)
	if !ok {
		return fmt.Errorf("%s.%s has no decode", p.Path(), name)
	}
	w.use(fn)
	zero, err := w.zero(o.Type())
	if err != nil {
		return err
	}
	extra := ""
	if fn.Signature().Params().Len() > 2 {
		extra = fmt.Sprintf(", go.asked(%q)", asked)
	}
	fmt.Fprintf(out, "function(r, o) local m = %s; %s(m, r, o%s); return m end,\n", zero, nameOf(fn), extra)
	return nil
}

// writeDissector writes the dissector of the module in root.
func writeDissector(root string) error {
	text, err := generateDissector(root)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, dissectorPath), text, 0o644)
}
