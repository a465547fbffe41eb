package state_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/state"
)

// Encoders of many languages and the output of gamequery give the same state.
func TestEncodersGiveTheSameState(t *testing.T) {
	want := lobbywire.View{
		Name: "Duel", Port: 7777, Max: new(16), Password: new(false),
		Roster: []lobbywire.Player{{Name: "Änn", Score: new(-3)}},
	}
	for name, text := range map[string]string{
		"plain": `{"name":"Duel","port":7777,"max":16,"password":false,"roster":[{"name":"Änn","score":-3}]}`,
		"with blanks and a byte order mark": "\xef\xbb\xbf \r\n{\"name\" : \"Duel\", \"port\" : 7777, \"max\" : 16,\t" +
			"\"password\" : false, \"roster\" : [ { \"name\" : \"\\u00c4nn\", \"score\" : -3 } ] } \n",
		"whole numbers as floats": `{"name":"Duel","port":7777.0,"max":1.6e1,"password":false,"roster":[{"name":"Änn","score":-3.0}]}`,
		"null for unknown values": `{"name":"Duel","map":null,"port":7777,"max":16,"players":null,"password":false,` +
			`"roster":[{"name":"Änn","score":-3,"ping":null}],"teams":null}`,
		"a line of gamequery": `{"schema":1,"protocol":"sqp","address":"192.0.2.1:7777","query":"192.0.2.1:7778",` +
			`"name":"Duel","port":7777,"max":16,"password":false,"roster":[{"name":"Änn","score":-3}],` +
			`"rtt":1.5,"attempts":1,"lacks":"x","answer":{"a":1}}`,
	} {
		got, err := state.Parse([]byte(text))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: error %v (-want +got):\n%s", name, err, diff)
		}
	}
}

// Every name keeps its characters or is refused, whatever the encoding: none becomes
// another one.
func TestParseKeepsNamesApart(t *testing.T) {
	for text, want := range map[string]string{
		"{\"name\":\"J\xfcrgen\"}":                    "Jürgen",
		"{\"name\":\"J\xc3\xbcrgen\"}":                "Jürgen",
		"{\"name\":\"\\\"\xfc\\\\\"}":                 "\"ü\\",
		"{\"name\":\"J\xc3\"}":                        "JÃ",          // cut within a character
		"{\"name\":\"a\xc0\x80b\"}":                   "aÀ€b",        // Java's form of the character 0
		"{\"name\":\"\xed\xa0\xbd\xed\xb8\x80\"}":     "í\u00a0½í¸€", // a surrogate pair in CESU-8
		"{\"map\":\"M\xfc\",\"name\":\"Zo\xc3\xab\"}": "Zoë",         // each string for itself
		`{"name":"\ud83d\ude00"}`:                     "😀",
		`{"name":"\\ud83d"}`:                          `\ud83d`,
		`{"name":"\\\u00fc"}`:                         `\ü`,
		"\xff\xfe{\x00\"\x00n\x00a\x00m\x00e\x00\"\x00:\x00\"\x00\xfc\x00\"\x00}\x00": "ü",
		"\xfe\xff\x00{\x00\"\x00n\x00a\x00m\x00e\x00\"\x00:\x00\"\x00\xfc\x00\"\x00}": "ü",
	} {
		got, err := state.Parse([]byte(text))
		if err != nil || got.Name != want {
			t.Errorf("%q: %q, %v, want %q", text, got.Name, err, want)
		}
		patched, err := state.Patch(lobbywire.View{Name: "before"}, []byte(text))
		if err != nil || patched.Name != want {
			t.Errorf("patch %q: %q, %v, want %q", text, patched.Name, err, want)
		}
	}
}

// A state with an error changes nothing, and the error states its place.
func TestParseErrorsStateTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "the text is empty",
		"  ":                                  "the text is empty",
		`{"name":"Duel"`:                      "not JSON: unexpected EOF",
		`{"name":Duel}`:                       "byte 9: not JSON",
		`{} {}`:                               "more than one JSON value",
		`[]`:                                  "must be a JSON object",
		`null`:                                "must be a JSON object",
		`{"nmae":"Duel"}`:                     `JSON value "": no member "nmae"; there are name, game,`,
		`{"Name":"Duel"}`:                     `no member "Name"`,
		`{"latin1":["/name"]}`:                `no member "latin1"`,
		`{"roster":[{},{"nick":1}]}`:          `JSON value "/roster/1": no member "nick"; there are name, score`,
		`{"port":70000}`:                      `JSON value "/port": want an unsigned integer of 16 bits`,
		`{"max":1.5}`:                         `JSON value "/max": want an integer of 64 bits`,
		`{"max":"16"}`:                        `JSON value "/max"`,
		`{"players":-1}`:                      `JSON value "/players": want an integer from 0 to 2147483647`,
		`{"bots":-1}`:                         `JSON value "/bots": want an integer from 0`,
		`{"max":-16.0}`:                       `JSON value "/max": want an integer from 0`,
		`{"max":2147483648}`:                  `JSON value "/max": want an integer from 0`,
		`{"roster":[{"ping":1},{"ping":-1}]}`: `JSON value "/roster/1/ping": want an integer from 0`,
		`{"roster":{"name":"x"}}`:             `JSON value "/roster": want an array`,
		`{"roster":[null]}`:                   `JSON value "/roster/0": want an object`,
		`{"name":"\ud83d"}`:                   "byte 9: half of a surrogate pair",
		`{"name":"\ude00\ud83d"}`:             "byte 9: half of a surrogate pair",
		`{"name":"x\ud83d\n\ude00"}`:          "byte 10: half of a surrogate pair",
		`{"name":"\ud83d`:                     "byte 9: half of a surrogate pair",
		"{\xfc}":                              "byte 2: not JSON",
		"{\"name\":\"\xfc":                    "not JSON: unexpected EOF",
		`{"error":{"code":"timeout","message":"no answer"}}`:    "an error, not a state",
		`{"name":"` + strings.Repeat("x", state.MaxText) + `"}`: "at most 1048576",
		strings.Repeat(`{"a":`, 20000):                          "not JSON",
	} {
		_, err := state.Parse([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: error %v, want %q", text, err, want)
		}
	}
}

// Patches change a state as RFC 7396 defines.
func TestPatchesFollowRFC7396(t *testing.T) {
	start := lobbywire.View{
		Name: "Duel", Map: "harbor", Max: new(16),
		Roster: []lobbywire.Player{{Name: "Ann", Score: new(3)}, {Name: "Bob"}},
	}
	for patch, want := range map[string]lobbywire.View{
		`{}`:                    start,
		`{"map":"mill"}`:        {Name: "Duel", Map: "mill", Max: new(16), Roster: start.Roster},
		`{"map":null}`:          {Name: "Duel", Max: new(16), Roster: start.Roster},
		`{"mode":null}`:         start,
		`{"roster":[]}`:         {Name: "Duel", Map: "harbor", Max: new(16), Roster: []lobbywire.Player{}},
		`{"roster":null}`:       {Name: "Duel", Map: "harbor", Max: new(16)},
		`{"schema":1,"bots":2}`: {Name: "Duel", Map: "harbor", Max: new(16), Bots: new(2), Roster: start.Roster},
		`{"roster":[{"name":"Bob","ping":null}],"max":8}`: {
			Name: "Duel", Map: "harbor", Max: new(8), Roster: []lobbywire.Player{{Name: "Bob"}},
		},
	} {
		got, err := state.Patch(start, []byte(patch))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: error %v (-want +got):\n%s", patch, err, diff)
		}
	}
	for _, patch := range []string{`{"players":-1}`, `[]`, `"x"`, `{"map":{"a":null}}`, `{"error":{}}`, `{"x":1}`} {
		if got, err := state.Patch(start, []byte(patch)); err == nil {
			t.Errorf("%s: %+v, want an error", patch, got)
		}
	}
}

// Publish gets each changed state once, in order. Ended gets the result of each report.
func TestPublishGetsEachStateOnce(t *testing.T) {
	var published []string
	var failed []bool
	h := state.New(lobbywire.View{Max: new(16)}, func(v lobbywire.View) { published = append(published, v.Name) },
		func(err error) { failed = append(failed, err != nil) })
	for _, text := range []string{`{}`, `{}`, `{"name":"a"}`, `x`, `{"name":"a"}`, `{"name":"b"}`} {
		_ = h.Put([]byte(text))
	}
	if diff := cmp.Diff([]string{"", "a", "b"}, published); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]bool{false, false, false, true, false, false}, failed); diff != "" {
		t.Errorf("reports that failed (-want +got):\n%s", diff)
	}
	now := h.Now()
	if now.View.Name != "b" || string(now.Text) != `{"name":"b"}` || now.Changes != 3 || h.Refused() != 1 {
		t.Errorf("%+v, %d refused", now, h.Refused())
	}
	select {
	case <-h.First():
	default:
		t.Error("First is not closed after a report")
	}
}
