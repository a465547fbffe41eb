package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// A jsonSchema is the part of JSON Schema that schema.json uses.
type jsonSchema struct {
	Schema, Title, Description string
	Type                       string
	Const                      any
	Enum                       []any
	Minimum, Maximum           *float64
	Required                   []string
	AdditionalProperties       *bool
	Properties                 map[string]jsonSchema
	Items                      *jsonSchema
}

// check returns the violations of the schema in v, the value at a path.
func (s jsonSchema) check(path string, v any) error {
	var errs []error
	wrong := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s: "+format, append([]any{path}, args...)...))
	}
	n, isNumber := v.(float64)
	object, isObject := v.(map[string]any)
	list, isList := v.([]any)
	_, isText := v.(string)
	_, isBool := v.(bool)
	is := map[string]bool{
		"": true, "object": isObject, "array": isList, "string": isText, "boolean": isBool,
		"number": isNumber, "integer": isNumber && n == math.Trunc(n),
	}
	switch {
	case !is[s.Type]:
		wrong("%v is no %s", v, s.Type)
	case s.Const != nil && v != s.Const, s.Enum != nil && !slices.Contains(s.Enum, v):
		wrong("%v is not allowed", v)
	case s.Minimum != nil && n < *s.Minimum, s.Maximum != nil && n > *s.Maximum:
		wrong("%v is out of range", v)
	}
	for _, name := range s.Required {
		if _, ok := object[name]; !ok {
			wrong("no %s", name)
		}
	}
	for name, member := range object {
		known, ok := s.Properties[name]
		switch {
		case ok:
			errs = append(errs, known.check(path+"/"+name, member))
		case s.AdditionalProperties != nil && !*s.AdditionalProperties:
			wrong("%s is not in the schema", name)
		}
	}
	if s.Items != nil {
		for i, item := range list {
			errs = append(errs, s.Items.check(fmt.Sprint(path, "/", i), item))
		}
	}
	return errors.Join(errs...)
}

// parsedSchema returns schema.json. It fails t if the file uses parts of JSON Schema
// that check does not support.
func parsedSchema(t *testing.T) (s jsonSchema) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(strings.ReplaceAll(schema, `"$schema"`, `"schema"`)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil {
		t.Fatal(err)
	}
	return s
}

// checkLines checks each line against the schema. It returns the members of all lines,
// except those of answers.
func checkLines(t *testing.T, text string) map[string]bool {
	t.Helper()
	s, members := parsedSchema(t), map[string]bool{}
	dec := json.NewDecoder(strings.NewReader(text))
	for {
		var v map[string]any
		err := dec.Decode(&v)
		if err == io.EOF {
			return members
		}
		if err == nil {
			err = s.check("", v)
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		for name := range v {
			members[name] = true
		}
	}
}

// The output of all commands with -json matches the schema, for every protocol.
func TestSchema(t *testing.T) {
	members := map[string]bool{}
	run := func(wantCode int, args ...string) {
		t.Helper()
		code, stdout, stderr := gamequery(nil, args...)
		if code != wantCode || stdout == "" {
			t.Errorf("%q: exit code %d, %s", args, code, stderr)
		}
		maps.Copy(members, checkLines(t, stdout))
	}
	for _, protocol := range []string{"sqp", "gamespy2", "gameagent"} {
		addr, stop := background(t, "serve", protocol, "127.0.0.1:0")
		run(exitOK, "query", "-json", protocol, addr)
		run(exitOK, "scan", "-json", protocol, addr)
		stop()
		run(exitFailed, "query", "-json", "-timeout=20ms", "-attempts=1", protocol, addr)
		run(exitFailed, "scan", "-json", "-timeout=20ms", "-attempts=1", protocol, addr)
	}
	for _, name := range []string{"gameagent", "bomberman", "warzone", "wzhttp", "wztext", "wzbin", "wzjson"} {
		master, stopMaster := background(t, "master", name, "127.0.0.1:0")
		p, _ := protocolNamed(name)
		master = p.scheme + master
		_, stop := background(t, "serve", name, "127.0.0.1:0", "-register", master)
		if err := awaitListed(t.Context(), p, master, 1); err != nil {
			t.Fatal(err)
		}
		run(exitOK, "list", "-json", name, master)
		if name == "gameagent" {
			run(exitOK, "browse", "-json", name, master)
		}
		stop()
		stopMaster()
	}
	for _, name := range []string{"bots", "lacks"} { // our servers do not send the number of bots, and lack nothing
		members[name] = true
	}
	var want []string
	for name := range parsedSchema(t).Properties {
		want = append(want, name)
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(members))); diff != "" {
		t.Errorf("members (-schema +printed):\n%s", diff)
	}
}

// The schema has all members of a line, in the same order.
func TestSchemaIsWhole(t *testing.T) {
	var want []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[line]()) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			want = append(want, name)
		}
	}
	_, properties, _ := strings.Cut(schema, `"properties": {`)
	at := 0
	for _, name := range want {
		i := strings.Index(properties[at:], "\n    \""+name+`": {`)
		if i < 0 {
			t.Fatalf("%s is not in the schema, or in another place", name)
		}
		at += i
	}
	if got := parsedSchema(t).Properties; len(got) != len(want) {
		t.Errorf("the schema has %d members, a line %d", len(got), len(want))
	}
}

// Each error has its own code, and the schema has all codes.
func TestErrorCodes(t *testing.T) {
	invalid := &lobbywire.Error{Proto: "sqp", Err: lobbywire.ErrInvalid}
	for want, errs := range map[string][]error{
		"timeout":     {lobbywire.ErrTimeout, &net.OpError{Op: "dial", Err: fmt.Errorf("x: %w", lobbywire.ErrTimeout)}},
		"lost":        {lobbywire.ErrLost},
		"invalid":     {invalid, fmt.Errorf("%w: %w", lobbywire.ErrTimeout, invalid)},
		"refused":     {&net.OpError{Op: "read", Err: syscall.ECONNREFUSED}},
		"unreachable": {syscall.ENETUNREACH, syscall.EHOSTUNREACH},
		"name":        {&net.DNSError{Err: "no such host", Name: "x"}},
		"closed":      {io.ErrUnexpectedEOF, io.EOF, syscall.ECONNRESET},
		"denied":      {&warzonenet.LobbyError{Text: "no"}},
		"other":       {errors.New("x")},
	} {
		for _, err := range errs {
			text, lineErr := answer{protocol: "sqp", err: err}.line()
			if lineErr != nil || !strings.Contains(string(text), `"error":{"code":"`+want+`",`) {
				t.Errorf("%v: %s, %v, want code %s", err, text, lineErr, want)
			}
			checkLines(t, string(text))
		}
	}
}

// An incomplete answer with a number of bots.
func TestLineOfPartialAnswer(t *testing.T) {
	m := gamespy2.Response{Info: []gamespy2.KeyValue{{Key: "p268435703", Value: "2"}}, Partial: true}
	text, err := answer{
		protocol: "gamespy2", query: netip.MustParseAddrPort("[2001:db8::1]:6500"), view: m.View(), message: m, lacks: missingPackets(m.Partial),
	}.line()
	want := `{"schema":1,"protocol":"gamespy2","query":"[2001:db8::1]:6500","bots":2,"rules":[{"key":"p268435703","value":"2"}],"lacks":"packets","answer":{`
	if err != nil || !strings.HasPrefix(string(text), want) {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
	checkLines(t, string(text))
}
