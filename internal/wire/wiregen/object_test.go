package main

import (
	"strings"
	"testing"
)

// objects declares JSON objects with every kind of member and every rule.
const objects = `package sample

// An Envelope is around all messages.
//
//wire:envelope in=body
type Envelope struct{}

// A Ping has no members.
//
//wire:message Message key="ping"
type Ping struct {
	Extra map[string]json.RawMessage
	Envelope
}

// A List lists games.
//
//wire:message Message key="list"
type List struct {
	Games []Game 'wire:"games,max=9"'
	Min   int    'wire:"min,should=ordered"'
	Best  Game   'wire:"best,must"'
	Extra map[string]json.RawMessage
	Envelope
}

func (m *List) ordered() bool { return true }

// A Game is a game.
//
//wire:object
type Game struct {
	Name  string  'wire:"name,must=valid,plain,omitzero"'
	Mode  Mode    'wire:"mode,range=1..ModeLast"'
	Port  *uint16 'wire:"port,port,omitzero"'
	Full  bool    'wire:"full,lenient"'
	Title *string 'wire:"title,max=9,omitzero"'
	Place Place   'wire:",inline"'
}

// A Place is a place.
//
//wire:object
type Place struct {
	X int 'wire:"x,should=inside"'
}

type Mode int

func valid(name string) bool             { return true }
func inside(x int, o Options) bool       { return true }
func decodeInt(j *wirejson.Reader, o Options) int { return 0 }
func decodePort(j *wirejson.Reader, o Options) uint16 { return 0 }
func decodeRange[T ~int](j *wirejson.Reader, o Options, low, high T) T { return low }
func appendPort(w *wire.Writer, field string, v uint16) {}

const (
	ModeLast     = 3
	validFault   = wire.Invalid("must be valid")
	orderedFault = wire.Invalid("must be in order")
	insideFault  = wire.Invalid("must be inside")
)

//wire:message key=string
type Message interface{}
`

func TestObjectsHaveTheirCode(t *testing.T) {
	text, err := generateSource(t, objects)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`
	for e := openEnvelope(r, &j, o, "ping", true, &m.Envelope); e.next(); {
		members := j.Object(pingMembers[:], 0b0, &m.Extra)
		members.Next()
	}
`, `
	appendBare(w, "ping", m.Extra, &m.Envelope)
`, `
			case 0: // games
				a := j.Array()
				m.Games = make([]Game, 0, a.Room(minGame))
				for a.Next() {
					m.Games = append(m.Games, Game{})
					m.Games[len(m.Games)-1].decode(&j, o, o.Strict)
				}
				if o.Strict && len(m.Games) > 9 {
					a.Fail(wire.Exceeded(len(m.Games), 9))
				}
			case 1: // min
				m.Min = decodeInt(&j, o)
				minAt = j.At()
			case 2: // best
				m.Best = Game{}
				m.Best.decode(&j, o, true)
			}
		}
		if o.Strict && !m.ordered() {
			j.FailMember(orderedFault, "min", minAt)
		}
`, `
	appendStart(w, "list")
	w.In("body", -1)
	if len(m.Games) > 9 {
		w.Exceed("games", len(m.Games), 9)
	}
	w.Text('"games":[')
	for i := range m.Games {
		if i > 0 {
			w.Text(',')
		}
		w.In("body.games", i)
		m.Games[i].append(w)
	}
	w.In("body", -1)
	w.Text(']')
	w.Check(m.ordered(), orderedFault, "min")
	w.Text(',"min":')
	w.Int(int64(m.Min))
	w.Text(',"best":')
	w.InMember("best")
	m.Best.append(w)
	w.InMember("")
	wirejson.AppendExtra(w, m.Extra, listMembers[:])
	appendEnd(w, &m.Envelope)
`, `
const minGame = len('{"mode":0,"x":0}')
`, `
	required := uint32(0b100010)
	if o.Strict {
		required = 0b101010
	}
	members := j.Object(gameMembers[:], required, nil)
`, `
			m.Name = j.Text()
			j.Check(valid(m.Name), validFault)
		case 1: // mode
			m.Mode = decodeRange(j, o, 1, ModeLast)
		case 2: // port
			v := decodePort(j, o)
			m.Port = &v
		case 3: // full
			m.Full = j.Bool()
		case 4: // title
			v := j.Text()
			if strict && len(v) > 9 {
				j.Fail(wire.Exceeded(len(v), 9))
			}
			m.Title = &v
		case 5: // x
			m.Place.X = decodeInt(j, o)
			j.Check(!strict || inside(m.Place.X, o), insideFault)
`, `
	w.Text('{')
	if m.Name != "" {
		w.Check(valid(m.Name), validFault, "name")
		w.Text('"name":')
		wirejson.AppendPlain(w, m.Name)
	}
	if m.Mode < 1 || m.Mode > ModeLast {
		w.Fail(wire.Outside(1, ModeLast), "mode")
	}
	wirejson.AppendName(w, "mode")
	w.Int(int64(m.Mode))
	if m.Port != nil {
		w.Text(',"port":')
		appendPort(w, "port", *m.Port)
	}
	w.Text(',"full":')
	wirejson.AppendBool(w, m.Full)
	if m.Title != nil {
		if len(*m.Title) > 9 {
			w.Exceed("title", len(*m.Title), 9)
		}
		w.Text(',"title":')
		wirejson.AppendText(w, "title", *m.Title)
	}
	w.Check(inside(m.Place.X, Options{}), insideFault, "x")
	w.Text(',"x":')
	w.Int(int64(m.Place.X))
	w.Text('}')
`, `
	case "list":
		var m List
		m.decode(r, o)
		return m
`, `
	case "list":
		return "list"
`,
	} {
		want = strings.ReplaceAll(want, "'", "`")
		if !strings.Contains(text, want) {
			t.Errorf("missing: %s", want)
		}
	}
}

// bodies declares messages that are JSON objects themselves.
const bodies = `package sample

// A Status is a body.
//
//wire:message object
type Status struct {
	Base  Base            'wire:",inline"'
	Names []string        'wire:"names,names"'
	Data  json.RawMessage 'wire:"data,raw,omitzero"'
	Best  *Game           'wire:"best,omitzero"'
	Games []Game          'wire:"games"'
	Extra map[string]json.RawMessage
}

// A Base is part of bodies.
//
//wire:object
type Base struct {
	Mods []Game 'wire:"mods,max=3,omitzero"'
}

// A Game is a game.
//
//wire:object
type Game struct {
	Name string 'wire:"name"'
}

func decodeNames(j *wirejson.Reader, o Options) []string                     { return nil }
func decodeRaw(j *wirejson.Reader, o Options) json.RawMessage                { return nil }
func appendNames(w *wire.Writer, field string, v []string)             {}
func appendRaw(w *wire.Writer, field string, v json.RawMessage) {}
`

func TestBodiesHaveTheirCode(t *testing.T) {
	text, err := generateSource(t, bodies)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`
func (m *Status) decode(r *wire.Reader, o Options) {
	j := openObject(r, o)
	members := j.Object(statusMembers[:], 0b10010, &m.Extra)
`, `
		case 0: // mods
			a := j.Array()
			m.Base.Mods = make([]Game, 0, a.Room(minGame))
`, `
		case 1: // names
			m.Names = decodeNames(&j, o)
		case 2: // data
			m.Data = decodeRaw(&j, o)
		case 3: // best
			m.Best = new(Game)
			m.Best.decode(&j, o, o.Strict)
`, `
	j.End()
}
`, `
	w.Text('{')
	if m.Base.Mods != nil {
`, `
			w.In("mods", i)
			m.Base.Mods[i].append(w)
		}
		w.In("", -1)
`, `
	wirejson.AppendName(w, "names")
	appendNames(w, "names", m.Names)
	if m.Data != nil {
		w.Text(',"data":')
		appendRaw(w, "data", m.Data)
	}
	if m.Best != nil {
		w.Text(',"best":')
		w.InMember("best")
		m.Best.append(w)
		w.InMember("")
	}
`, `
	wirejson.AppendExtra(w, m.Extra, statusMembers[:])
	w.Text('}')
	closeObject(w)
}
`, `
func (o Options) ParseStatus(`,
	} {
		want = strings.ReplaceAll(want, "'", "`")
		if !strings.Contains(text, want) {
			t.Errorf("missing: %s", want)
		}
	}
	if strings.Contains(text, "baseMembers") {
		t.Error("an object that is in line alone has a codec")
	}
}
