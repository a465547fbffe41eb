package main

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
	"github.com/lobbywire/lobbywire/examples/internal/traffictest"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// battlefieldList returns a list request for a game whose secret key is abcdef, and the
// answer of the master: a list of one server, then pushed messages.
func battlefieldList(t *testing.T, options sb2.RequestOptions) (request, answer []byte) {
	t.Helper()
	must := func(b []byte, err error) []byte {
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	r := sb2.ListRequest{
		ForGame: "battlefield2", FromGame: "battlefield2", Fields: sb2.MakeFieldList("hostname"),
		Challenge: sb2.MakeChallenge([8]byte{1, 2, 3, 4, 5, 6, 7, 8}), Options: options,
	}
	keys := []sb2.Key{{Name: "hostname"}}
	server := sb2.Server{
		Flags: sb2.FlagUnsolicitedUDP | sb2.FlagFields, IP: netip.MustParseAddr("192.0.2.7"),
		Fields: []sb2.KeyValue{{Key: "hostname", Value: "Harbour"}},
	}
	list := sb2.List{ClientIP: traffictest.Player.Addr(), DefaultPort: 29900, NoList: options&sb2.OptionNoList != 0}
	if !list.NoList {
		list.Keys, list.Servers = keys, []sb2.Server{server}
	}
	plain := must(list.AppendBinary(nil))
	plain = append(plain, must(sb2.PushKeys{Keys: keys}.AppendBinary(nil))...)
	plain = append(plain, must(sb2.PushServer{Keys: keys, Server: server}.AppendBinary(nil))...)
	plain = append(plain, must(sb2.DeleteServer{Addr: netip.MustParseAddrPort("192.0.2.7:29900")}.AppendBinary(nil))...)
	head := sb2.Head{Challenge: []byte("25 random bytes of master")}
	c, err := sb2.NewCipher("abcdef", r.Challenge, head.Challenge)
	if err != nil {
		t.Fatal(err)
	}
	c.Encrypt(plain, plain)
	return must(r.AppendBinary(nil)), append(must(head.AppendBinary(nil)), plain...)
}

// The data from a GameSpy master is decrypted with the secret key of the game in the
// request. Otherwise, the output names the missing key.
func TestExplainDecryptsLists(t *testing.T) {
	request, answer := battlefieldList(t, sb2.OptionPush)
	noList, pushes := battlefieldList(t, sb2.OptionNoList|sb2.OptionPush)
	master := netip.AddrPortFrom(traffictest.Host.Addr(), sb2.Port)
	whole := []string{
		"# decrypted with the secret key of battlefield2",
		"# sb2.Head, 29 bytes from 0",
		"# sb2.List, 37 bytes from 29",
		`servers[0].fields = "Harbour"`,
		"# sb2.PushKeys, 14 bytes from 66",
		"# sb2.PushServer, 16 bytes from 80",
		`fields[0].value = "Harbour"`,
		"# sb2.DeleteServer, 9 bytes from 96",
		"# explained 2 (cut 0, broken 0), not explained 0",
	}
	for _, tt := range []struct {
		name    string
		secret  string
		packets [][]byte
		code    int
		want    []string
	}{
		{"the key", "abcdef",
			traffictest.Exchange(traffictest.Player, master, string(request), string(answer)), exitOK, whole},
		{"the key, by the name of the game", "battlefield2=abcdef",
			traffictest.Exchange(traffictest.Player, master, string(request), string(answer)), exitOK, whole},
		{"the keys of several games", "other=123456,battlefield2=abcdef",
			traffictest.Exchange(traffictest.Player, master, string(request), string(answer)), exitOK, whole},
		{"no list, but pushed messages", "abcdef",
			traffictest.Exchange(traffictest.Player, master, string(noList), string(pushes)), exitOK, []string{
				"# sb2.List, 6 bytes from 29",
				"# sb2.PushServer, 16 bytes from 49",
				"# explained 2 (cut 0, broken 0), not explained 0",
			}},
		{"no key", "", traffictest.Exchange(traffictest.Player, master, string(request), string(answer)), exitOK, []string{
			"# encrypted with the secret key of battlefield2: give it as -secret battlefield2=KEY",
			"# sb2.Head, 29 bytes from 0",
			"# sb2.Encrypted, 76 bytes from 29",
			"# explained 2 (cut 0, broken 0), not explained 0",
		}},
		{"the key of another game", "other=abcdef",
			traffictest.Exchange(traffictest.Player, master, string(request), string(answer)), exitOK, []string{
				"# encrypted with the secret key of battlefield2: give it as -secret battlefield2=KEY",
			}},
		{"a wrong key", "abcdeg",
			traffictest.Exchange(traffictest.Player, master, string(request), string(answer)), exitOK, []string{
				"# decrypted with the secret key of battlefield2, which may be wrong",
				"# sb2.Head, 29 bytes from 0",
				"# explained 2 (cut 1, broken 0), not explained 0",
			}},
		{"no request", "abcdef", [][]byte{
			capturetest.TCP(master, traffictest.Player, capturetest.Segment{Seq: 49, Flags: capturetest.SYN}),
			capturetest.TCP(master, traffictest.Player, capturetest.Segment{Seq: 50, Data: answer}),
		}, exitOK, []string{
			"# encrypted: the capture lacks the request, without which it cannot be decrypted",
			"# sb2.Encrypted, 76 bytes from 29",
		}},
		{"the capture ends within the head", "abcdef",
			traffictest.Exchange(traffictest.Player, master, string(request), string(answer[:20])), exitOK, []string{
				"# cut: the capture ends within a message",
				"# sb2.Head, 20 bytes from 0",
				"# explained 2 (cut 1, broken 0), not explained 0",
			}},
		{"the capture ends within the end of the list", "abcdef",
			traffictest.Exchange(traffictest.Player, master, string(request), string(answer[:64])), exitOK, []string{
				"# cut: the capture ends within a message",
				"# sb2.List, 35 bytes from 29",
				"# explained 2 (cut 1, broken 0), not explained 0",
			}},
		{"the capture ends within a pushed message", "abcdef",
			traffictest.Exchange(traffictest.Player, master, string(request), string(answer[:70])), exitOK, []string{
				"# cut: the capture ends within a message",
				"# sb2.List, 37 bytes from 29",
				"# sb2.Push, 4 bytes from 66",
				"# explained 2 (cut 1, broken 0), not explained 0",
			}},
		{"the capture ends early", "abcdef",
			traffictest.Exchange(traffictest.Player, master, string(request), string(answer[:50])), exitOK, []string{
				"# cut: the capture ends within a message",
				"# sb2.List, 21 bytes from 29",
				"# explained 2 (cut 1, broken 0), not explained 0",
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := gamequery(capturetest.PCAP(capturetest.LinkRaw, 0, tt.packets...), "explain",
				"-secret", tt.secret, "-")
			if code != tt.code {
				t.Errorf("exit code %d, want %d: %s", code, tt.code, stderr)
			}
			lines := strings.Split(stdout, "\n")
			for _, want := range tt.want {
				i := slices.IndexFunc(lines, func(line string) bool { return line == want || strings.HasSuffix(line, " "+want) })
				if i < 0 {
					t.Fatalf("want the line %q in\n%s\n%s", want, stdout, stderr)
				}
				lines = lines[i+1:]
			}
		})
	}
}
