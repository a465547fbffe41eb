package bomberman_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

func register(address string) bomberman.RegisterGameServer {
	return bomberman.RegisterGameServer{ServerName: "a", ServerAddress: address, ServerPort: 20000}
}

func TestRegisterGameServer(t *testing.T) {
	const head = `{"command":"msRegisterGameServer","content":{`
	testParse(t, bomberman.Options.ParseRegisterGameServer, []parseCase[bomberman.RegisterGameServer]{
		{name: "all fields", in: head + `"serverName":" <Bösewicht> ","serverAddress":"fd40::1","serverPort":65535}}`,
			want: bomberman.RegisterGameServer{ServerName: " <Bösewicht> ", ServerAddress: "fd40::1", ServerPort: 65535}},
		{name: "another order, more members", in: head + `"serverPort":1,"region":"eu","serverAddress":"a","serverName":"b"},"v":1}`,
			want: bomberman.RegisterGameServer{ServerName: "b", ServerAddress: "a", ServerPort: 1,
				Extra:    map[string]json.RawMessage{"region": []byte(`"eu"`)},
				Envelope: bomberman.Envelope{EnvelopeExtra: map[string]json.RawMessage{"v": []byte("1")}}},
			out: head + `"serverName":"b","serverAddress":"a","serverPort":1,"region":"eu"},"v":1}`},
		{name: "port with a fraction of zero", in: head + `"serverName":"a","serverAddress":"b","serverPort":2.0e4}}`,
			want: register("b"), out: head + `"serverName":"a","serverAddress":"b","serverPort":20000}}`, strict: lobbywire.ErrInvalid},
		{name: "empty name", in: head + `"serverName":"","serverAddress":"a","serverPort":1}}`, kind: lobbywire.ErrInvalid, field: "content.serverName", offset: 58},
		{name: "empty address", in: head + `"serverAddress":"","serverName":"a","serverPort":1}}`, kind: lobbywire.ErrInvalid, field: "content.serverAddress", offset: 61},
		{name: "port 0", in: head + `"serverPort":0,`, kind: lobbywire.ErrInvalid, field: "content.serverPort", offset: 58},
		{name: "port 65536", in: head + `"serverPort":65536,`, kind: lobbywire.ErrInvalid, field: "content.serverPort", offset: 58},
		{name: "port -1", in: head + `"serverPort":-1,`, kind: lobbywire.ErrInvalid, field: "content.serverPort", offset: 58},
		{name: "port of the management server", in: head + `"serverPort":51963,`, kind: lobbywire.ErrInvalid, field: "content.serverPort", offset: 58},
		{name: "port as text", in: head + `"serverPort":"20000",`, kind: lobbywire.ErrInvalid, field: "content.serverPort", offset: 58},
		{name: "port with a fraction", in: head + `"serverPort":1.5,`, kind: lobbywire.ErrInvalid, field: "content.serverPort", offset: 58},
		{name: "huge port", in: head + `"serverPort":1e99,`, kind: lobbywire.ErrInvalid, field: "content.serverPort", offset: 58},
		{name: "port cut", in: head + `"serverPort":99999999`, kind: lobbywire.ErrTruncated, field: "content.serverPort", offset: 58},
		{name: "names of the list", in: head + `"name":"a","address":"b","port":1}}`, kind: lobbywire.ErrInvalid, field: "content.serverName", offset: 78},
		{name: "another command", in: `{"command":"msOther"`, kind: lobbywire.ErrInvalid, field: "command", offset: 11},
	})
	testRefusals(t, []refusal{
		{"empty name", bomberman.RegisterGameServer{ServerAddress: "a", ServerPort: 1}, lobbywire.ErrInvalid, "content.serverName"},
		{"name that is not UTF-8", bomberman.RegisterGameServer{ServerName: "\xff", ServerAddress: "a", ServerPort: 1}, lobbywire.ErrInvalid, "content.serverName"},
		{"address", register("1.2.3"), lobbywire.ErrInvalid, "content.serverAddress"},
		{"port", bomberman.RegisterGameServer{ServerName: "a", ServerAddress: "a", ServerPort: bomberman.Port}, lobbywire.ErrInvalid, "content.serverPort"},
		{"member again", bomberman.RegisterGameServer{ServerName: "a", ServerAddress: "a", ServerPort: 1,
			Extra: map[string]json.RawMessage{"serverPort": []byte("2")}}, lobbywire.ErrInvalid, "content.extra"},
		{"name too long", bomberman.RegisterGameServer{ServerName: strings.Repeat("a", 65536), ServerAddress: "a", ServerPort: 1}, lobbywire.ErrTooLarge, ""},
	})
}

func TestAddresses(t *testing.T) {
	const always, never, tolerant = 2, 0, 1
	for address, accepted := range map[string]int{
		"192.168.0.10":                   always,
		"0.0.0.0":                        always,
		"::1":                            always,
		"fd40:9dc7:b528::1":              always,
		"::ffff:192.0.2.1":               always,
		"FD40::A":                        always,
		"bombergame.example.org":         always,
		"localhost":                      always,
		"1and1.example":                  always,
		"xn--bsewicht-o4a.de":            always,
		strings.Repeat("a", 63):          always,
		"bösewicht.de":                   tolerant,
		"my_server":                      tolerant,
		"-a.de":                          tolerant,
		"a-.de":                          tolerant,
		"192.168.0.256":                  never,
		"192.168.0":                      never,
		"192.168.0.1.":                   never,
		"192.168.0.01":                   never,
		"1":                              never,
		"example.1":                      never,
		"1..2":                           never,
		".":                              never,
		"a..b":                           never,
		"a.":                             never,
		"fd40::g":                        never,
		"[::1]":                          never,
		"::1:":                           never,
		"fe80::1%eth0":                   never,
		"example.org:80":                 never,
		"a b":                            never,
		"a/b":                            never,
		"a\x00":                          never,
		strings.Repeat("a", 64):          never,
		strings.Repeat("a.", 127):        never,
		strings.Repeat("a.", 126) + "aa": never,
	} {
		m := register(address)
		b, err := m.MarshalBinary()
		if (err == nil) != (accepted >= tolerant) {
			t.Errorf("%q: sent with %v", address, err)
		}
		if err != nil {
			quoted, err := json.Marshal(address)
			if err != nil {
				t.Fatal(err)
			}
			b = []byte(`{"command":"msRegisterGameServer","content":{"serverName":"a","serverPort":1,"serverAddress":` + string(quoted) + `}}`)
		}
		if _, err := bomberman.ParseRegisterGameServer(b); (err == nil) != (accepted >= tolerant) {
			t.Errorf("%q: %v", address, err)
		}
		if _, err := (bomberman.Options{Strict: true}).ParseRegisterGameServer(b); (err == nil) != (accepted == always) {
			t.Errorf("%q, strict: %v", address, err)
		}
	}
}
