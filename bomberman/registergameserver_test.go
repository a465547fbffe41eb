package bomberman_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func register(address string) bomberman.RegisterGameServer {
	return bomberman.RegisterGameServer{ServerName: "a", ServerAddress: address, ServerPort: 20000}
}

func TestRegisterGameServerAcceptsItsFormsOnly(t *testing.T) {
	const head = `{"command":"msRegisterGameServer","content":{`
	registerGameServerCodec.Table(t, []codectest.Case[bomberman.RegisterGameServer]{
		{Name: "all fields", In: head + `"serverName":" <Bösewicht> ","serverAddress":"fd40::1","serverPort":65535}}`,
			Want: bomberman.RegisterGameServer{ServerName: " <Bösewicht> ", ServerAddress: "fd40::1",
				ServerPort: 65535}},
		{Name: "another order, more members",
			In: head + `"serverPort":1,"region":"eu","serverAddress":"a","serverName":"b"},"v":1}`,
			Want: bomberman.RegisterGameServer{ServerName: "b", ServerAddress: "a", ServerPort: 1,
				Envelope: bomberman.Envelope{
					Extra:         map[string]json.RawMessage{"region": []byte(`"eu"`)},
					EnvelopeExtra: map[string]json.RawMessage{"v": []byte("1")}}},
			Out: head + `"serverName":"b","serverAddress":"a","serverPort":1,"region":"eu"},"v":1}`},
		{Name: "port with a fraction of zero", In: head + `"serverName":"a","serverAddress":"b","serverPort":2.0e4}}`,
			Want: register("b"), Out: head + `"serverName":"a","serverAddress":"b","serverPort":20000}}`,
			Strict: lobbywire.ErrInvalid},
		{Name: "empty name", In: head + `"serverName":"","serverAddress":"a","serverPort":1}}`,
			Err: lobbywire.ErrInvalid, Field: "content.serverName", Offset: 58},
		{Name: "empty address", In: head + `"serverAddress":"","serverName":"a","serverPort":1}}`,
			Err: lobbywire.ErrInvalid, Field: "content.serverAddress", Offset: 61},
		{Name: "port 0", In: head + `"serverPort":0,`,
			Err: lobbywire.ErrInvalid, Field: "content.serverPort", Offset: 58},
		{Name: "port 65536", In: head + `"serverPort":65536,`,
			Err: lobbywire.ErrInvalid, Field: "content.serverPort", Offset: 58},
		{Name: "port -1", In: head + `"serverPort":-1,`,
			Err: lobbywire.ErrInvalid, Field: "content.serverPort", Offset: 58},
		{Name: "port of the management server", In: head + `"serverPort":51963,`,
			Err: lobbywire.ErrInvalid, Field: "content.serverPort", Offset: 58},
		{Name: "port as text", In: head + `"serverPort":"20000",`,
			Err: lobbywire.ErrInvalid, Field: "content.serverPort", Offset: 58},
		{Name: "port with a fraction", In: head + `"serverPort":1.5,`,
			Err: lobbywire.ErrInvalid, Field: "content.serverPort", Offset: 58},
		{Name: "huge port", In: head + `"serverPort":1e99,`,
			Err: lobbywire.ErrInvalid, Field: "content.serverPort", Offset: 58},
		{Name: "port cut", In: head + `"serverPort":99999999`,
			Err: lobbywire.ErrTruncated, Field: "content.serverPort", Offset: 58},
		{Name: "names of the list", In: head + `"name":"a","address":"b","port":1}}`,
			Err: lobbywire.ErrInvalid, Field: "content.serverName", Offset: 78},
		{Name: "another command", In: `{"command":"msOther"`, Err: lobbywire.ErrInvalid, Field: "command", Offset: 11},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "empty name", Value: bomberman.RegisterGameServer{ServerAddress: "a", ServerPort: 1},
			Err: lobbywire.ErrInvalid, Field: "content.serverName"},
		{Name: "name that is not UTF-8",
			Value: bomberman.RegisterGameServer{ServerName: "\xff", ServerAddress: "a", ServerPort: 1},
			Err:   lobbywire.ErrInvalid, Field: "content.serverName"},
		{Name: "address", Value: register("1.2.3"), Err: lobbywire.ErrInvalid, Field: "content.serverAddress"},
		{Name: "port",
			Value: bomberman.RegisterGameServer{ServerName: "a", ServerAddress: "a", ServerPort: bomberman.Port},
			Err:   lobbywire.ErrInvalid, Field: "content.serverPort"},
		{Name: "member again", Value: bomberman.RegisterGameServer{ServerName: "a", ServerAddress: "a", ServerPort: 1,
			Envelope: bomberman.Envelope{Extra: map[string]json.RawMessage{"serverPort": []byte("2")}}},
			Err: lobbywire.ErrInvalid, Field: "content.extra"},
		{Name: "name too long",
			Value: bomberman.RegisterGameServer{ServerName: strings.Repeat("a", 65536), ServerAddress: "a",
				ServerPort: 1}, Err: lobbywire.ErrTooLarge},
	})
}

func TestRegisteredAddressIsOfOneHost(t *testing.T) {
	const true, never = true, false
	for address, accepted := range map[string]bool{
		"192.168.0.10":                   true,
		"0.0.0.0":                        true,
		"255.255.255.255":                true,
		"::1":                            true,
		"fd40:9dc7:b528::1":              true,
		"::ffff:192.0.2.1":               true,
		"FD40::A":                        true,
		"bombergame.example.org":         true,
		"localhost":                      true,
		"1and1.example":                  true,
		"xn--bsewicht-o4a.de":            true,
		strings.Repeat("a", 63):          true,
		"bösewicht.de":                   true,
		"my_server":                      true,
		"-a.de":                          false,
		"a-.de":                          false,
		"192.168.0.256":                  false,
		"192.168.0":                      false,
		"192.168.0.":                     false,
		"192.168.0.1.2":                  false,
		"192.168..1":                     false,
		"00.0.0.0":                       false,
		"192.168.0.1.":                   false,
		"192.168.0.01":                   false,
		"1":                              false,
		"example.1":                      false,
		"1..2":                           false,
		".":                              false,
		"a..b":                           false,
		"a.":                             false,
		"fd40::g":                        false,
		"[::1]":                          false,
		"::1:":                           false,
		"fe80::1%eth0":                   false,
		"example.org:80":                 false,
		"a b":                            false,
		"a/b":                            false,
		"a\x00":                          false,
		strings.Repeat("a", 64):          false,
		strings.Repeat("a.", 127):        false,
		strings.Repeat("a.", 126) + "aa": false,
	} {
		m := register(address)
		b, err := m.AppendBinary(nil)
		if (err == nil) != accepted {
			t.Errorf("%q: sent with %v", address, err)
		}
		if err != nil {
			quoted, err := json.Marshal(address)
			if err != nil {
				t.Fatal(err)
			}
			b = []byte(`{"command":"msRegisterGameServer","content":{"serverName":"a","serverPort":1,"serverAddress":` +
				string(quoted) + `}}`)
		}
		if _, err := bomberman.ParseRegisterGameServer(b); (err == nil) != accepted {
			t.Errorf("%q: %v", address, err)
		}
		if _, err := (bomberman.Options{Strict: true}).ParseRegisterGameServer(b); (err == nil) != accepted {
			t.Errorf("%q, strict: %v", address, err)
		}
	}
}
