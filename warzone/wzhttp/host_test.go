package wzhttp_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

func TestCreateAcceptsItsFormsOnly(t *testing.T) {
	room := game().Room
	text := `{` + line[at(`"v"`):at(`,"conn"`)] + `}`
	options := wzhttp.DefaultJoinOptions()
	createCodec.Table(t, []codectest.Case[wzhttp.Create]{
		{Name: "a room", In: text, Want: wzhttp.Create{Room: room}},
		{Name: "options",
			In:   text[:len(text)-1] + `,"joinopts":{"botProt":"block","proxyIps":"blockSus","hostingIps":"block"}}`,
			Want: wzhttp.Create{Room: room, JoinOptions: &options}},
		{Name: "an unknown policy",
			In: text[:len(text)-1] + `,"joinopts":{"botProt":"maybe","proxyIps":"block","hostingIps":"allow"}}`,
			Want: wzhttp.Create{Room: room,
				JoinOptions: &wzhttp.JoinOptions{Bots: "maybe", Proxies: wzhttp.JoinBlock, Hosting: wzhttp.JoinAllow}},
			Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "half the options", In: text[:len(text)-1] + `,"joinopts":{"botProt":"block"}}`,
			Err: lobbywire.ErrInvalid, Field: "joinopts.proxyIps", Offset: len(text) + 29},
		{Name: "an attestation without signature",
			In:  text[:len(text)-1] + `,"attest":{"pk":"","name":"","n":"","l":"","at":""}}`,
			Err: lobbywire.ErrInvalid, Field: "attest.sig", Offset: len(text) + 49},
		{Name: "cut", In: text[:len(text)-1], Err: lobbywire.ErrTruncated, Field: "lim", Offset: len(text) - 2},
		{Name: "more", In: text + "{}", Err: lobbywire.ErrTrailing, Offset: len(text)},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "a policy", Value: wzhttp.Create{JoinOptions: &wzhttp.JoinOptions{}},
			Err: lobbywire.ErrInvalid, Field: "joinopts.botProt"},
		{Name: "a member again", Value: wzhttp.Create{Extra: extra("joinopts", "{}")},
			Err: lobbywire.ErrInvalid, Field: "extra"},
		{Name: "an attestation", Value: wzhttp.Create{Attestation: &wzhttp.Attestation{Lobby: "\xff"}},
			Err: lobbywire.ErrInvalid, Field: "attest.l"},
	})
}

func TestCreatedAcceptsItsFormsOnly(t *testing.T) {
	createdCodec.Table(t, []codectest.Case[wzhttp.Created]{
		{Name: "least", In: `{"gameId":"G7K2Q","hostToken":"a","lobbyToken":""}`,
			Want: wzhttp.Created{GameID: "G7K2Q", HostToken: "a"}},
		{Name: "no options", In: `{"gameId":"G","hostToken":"a","lobbyToken":"b","motd":"c","hostJoinOpts":[]}`,
			Want: wzhttp.Created{GameID: "G", HostToken: "a", LobbyToken: "b", MOTD: "c", JoinOptions: []string{}}},
		{Name: "options that are no array", In: `{"gameId":"G","hostToken":"a","lobbyToken":"b","hostJoinOpts":null}`,
			Want: wzhttp.Created{GameID: "G", HostToken: "a", LobbyToken: "b"}, Strict: lobbywire.ErrInvalid,
			Differs: true},
		{Name: "a long message",
			In:     `{"gameId":"G","hostToken":"a","lobbyToken":"b","motd":"` + strings.Repeat("x", 4097) + `"}`,
			Want:   wzhttp.Created{GameID: "G", HostToken: "a", LobbyToken: "b", MOTD: strings.Repeat("x", 4097)},
			Strict: lobbywire.ErrTooLarge, Refused: true},
		{Name: "a token that no header carries", In: `{"gameId":"G","hostToken":"a b","lobbyToken":"b"}`,
			Want: wzhttp.Created{GameID: "G", HostToken: "a b", LobbyToken: "b"}, Strict: lobbywire.ErrInvalid,
			Refused: true},
		{Name: "an empty id", In: `{"gameId":"","hostToken":"a","lobbyToken":"b"}`,
			Err: lobbywire.ErrInvalid, Field: "gameId", Offset: 10},
		{Name: "an empty token", In: `{"gameId":"G","hostToken":"","lobbyToken":"b"}`,
			Err: lobbywire.ErrInvalid, Field: "hostToken", Offset: 26},
		{Name: "an option that is no text",
			In:  `{"gameId":"G","hostToken":"a","lobbyToken":"b","hostJoinOpts":["x",1]}`,
			Err: lobbywire.ErrInvalid, Field: "hostJoinOpts[1]", Offset: 67},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "no id", Value: wzhttp.Created{HostToken: "a"}, Err: lobbywire.ErrInvalid, Field: "gameId"},
		{Name: "no token", Value: wzhttp.Created{GameID: "G"}, Err: lobbywire.ErrInvalid, Field: "hostToken"},
		{Name: "a token with a line feed", Value: wzhttp.Created{GameID: "G", HostToken: "a\nb"},
			Err: lobbywire.ErrInvalid, Field: "hostToken"},
	})
}

func TestConnectionAcceptsItsFormsOnly(t *testing.T) {
	connectionCodec.Table(t, []codectest.Case[wzhttp.Connection]{
		{Name: "IPv4", In: `{"type":"tcp:ip4","host":"","port":2100}`,
			Want: wzhttp.Connection{Type: wzhttp.TCP4, Port: 2100}},
		{Name: "a host", In: `{"type":"gns","host":"198.51.100.7","port":65535}`,
			Want: wzhttp.Connection{Type: wzhttp.GNS, Host: "198.51.100.7", Port: 65535}},
		{Name: "another order", In: `{"port":1,"host":"","type":"tcp:ip6"}`,
			Want: wzhttp.Connection{Type: wzhttp.TCP6, Port: 1}, Differs: true},
		{Name: "port 0", In: `{"type":"tcp:ip4","host":"","port":0}`,
			Err: lobbywire.ErrInvalid, Field: "port", Offset: 35},
		{Name: "a large port", In: `{"type":"tcp:ip4","host":"","port":65536}`,
			Err: lobbywire.ErrInvalid, Field: "port", Offset: 35},
		{Name: "no host", In: `{"type":"tcp:ip4","port":1}`, Err: lobbywire.ErrInvalid, Field: "host", Offset: 26},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "no type", Value: wzhttp.Connection{Port: 1}, Err: lobbywire.ErrInvalid, Field: "type"},
		{Name: "no port", Value: wzhttp.Connection{Type: wzhttp.TCP}, Err: lobbywire.ErrInvalid, Field: "port"},
	})
}

func TestStatusAcceptsItsFormsOnly(t *testing.T) {
	statusCodec.Table(t, []codectest.Case[wzhttp.Status]{
		{Name: "nothing announced", In: `{"gameId":"G","published":false,"connections":[]}`,
			Want: wzhttp.Status{GameID: "G", Connections: []wzhttp.ConnectionStatus{}}},
		{Name: "all values", In: `{"gameId":"G","published":true,"connections":[{"type":"tcp:ip4",` +
			`"status":"submitted"},{"type":"tcp:ip6","status":"validated"},{"type":"tcp","status":"error","x":1}]}`,
			Want: wzhttp.Status{GameID: "G", Published: true, Connections: []wzhttp.ConnectionStatus{
				{Type: wzhttp.TCP4, Status: wzhttp.ValidationSubmitted},
				{Type: wzhttp.TCP6, Status: wzhttp.ValidationValidated},
				{Type: wzhttp.TCP, Status: wzhttp.ValidationError, Extra: extra("x", "1")},
			}}},
		{Name: "an unknown value",
			In: `{"gameId":"G","published":true,"connections":[{"type":"tcp:ip4","status":"late"}]}`,
			Want: wzhttp.Status{GameID: "G", Published: true,
				Connections: []wzhttp.ConnectionStatus{{Type: wzhttp.TCP4, Status: "late"}}},
			Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "no connections", In: `{"gameId":"G","published":true}`,
			Err: lobbywire.ErrInvalid, Field: "connections", Offset: 30},
		{Name: "a number for published", In: `{"gameId":"G","published":1,"connections":[]}`,
			Err: lobbywire.ErrInvalid, Field: "published", Offset: 26},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "an unknown value",
			Value: wzhttp.Status{GameID: "G", Connections: []wzhttp.ConnectionStatus{{Type: wzhttp.TCP}}},
			Err:   lobbywire.ErrInvalid, Field: "connections[0].status"},
	})
}

func TestJoinCheckAcceptsItsFormsOnly(t *testing.T) {
	long := strings.Repeat("x", 64)
	check := func(name string) string {
		return `{"joinToken":"","ip":"::1","name":"` + name + `","pk":"","connMethod":"tcp","asSpec":true}`
	}
	joinCheckCodec.Table(t, []codectest.Case[wzhttp.JoinCheck]{
		{Name: "a long name", In: check(long),
			Want:   wzhttp.JoinCheck{IP: loopback6, Name: long, Method: "tcp", Spectate: true},
			Strict: lobbywire.ErrTooLarge, Refused: true},
		{Name: "a name", In: check("x"),
			Want: wzhttp.JoinCheck{IP: loopback6, Name: "x", Method: "tcp", Spectate: true}},
		{Name: "a method", In: strings.Replace(check("x"), "tcp", "quic", 1),
			Want:   wzhttp.JoinCheck{IP: loopback6, Name: "x", Method: "quic", Spectate: true},
			Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "a zone", In: strings.Replace(check("x"), "::1", "fe80::1%eth0", 1),
			Err: lobbywire.ErrInvalid, Field: "ip", Offset: 21},
		{Name: "a host name", In: strings.Replace(check("x"), "::1", "localhost", 1),
			Err: lobbywire.ErrInvalid, Field: "ip", Offset: 21},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "no address", Value: wzhttp.JoinCheck{Method: "tcp"}, Err: lobbywire.ErrInvalid, Field: "ip"},
		{Name: "no method", Value: wzhttp.JoinCheck{IP: loopback6}, Err: lobbywire.ErrInvalid, Field: "connMethod"},
	})
	verdictCodec.Table(t, []codectest.Case[wzhttp.Verdict]{
		{Name: "pass", In: `{"pass":true}`, Want: wzhttp.Verdict{Pass: true}},
		{Name: "refuse", In: `{"pass":false,"error":"no","x":[]}`,
			Want: wzhttp.Verdict{Error: "no", Extra: extra("x", "[]")}},
		{Name: "a text", In: `{"pass":"true"}`, Err: lobbywire.ErrInvalid, Field: "pass", Offset: 8},
		{Name: "nothing", In: `{}`, Err: lobbywire.ErrInvalid, Field: "pass", Offset: 1},
	})
}
