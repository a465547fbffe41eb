package main

import (
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/examples/internal/programtest"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
	"github.com/lobbywire/lobbywire/warzone"
)

// file writes a configuration file and returns its name.
func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "lobbyd.toml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func prefix(t *testing.T, text string) ban.Prefix {
	t.Helper()
	p, err := ban.ParsePrefix(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// asText compares patterns by their text.
var asText = cmp.Options{
	cmp.AllowUnexported(address{}, config{}, adminConfig{}, clusterConfig{}, warzoneConfig{},
		bombermanConfig{}, webConfig{},
		connectionsConfig{}),
	cmp.Comparer(func(a, b pattern) bool { return a.String() == b.String() }),
	cmp.Comparer(func(a, b ban.Prefix) bool { return a == b }),
	cmp.Comparer(func(a, b mapRule) bool { return a == b }),
	cmpopts.EquateEmpty(),
}

func wantConfig(t *testing.T, got, want config) {
	t.Helper()
	if diff := cmp.Diff(want, got, asText); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLoadOfNothingIsTheDefaults(t *testing.T) {
	c, err := load(nil)
	if err != nil {
		t.Fatal(err)
	}
	wantConfig(t, c, defaults())
}

// Flags override the file, but bans of both apply.
func TestFlagsOverrideTheFile(t *testing.T) {
	name := file(t, `
log = "debug"
grace = "1m30s"
drain = "5s"
offset = 5
map = ["127.0.0.1=203.0.113.7"]
[gameagent]
listen = "127.0.0.1:9005"
max-servers = 7
sync-from = ["192.0.2.9:28900"]
sync-for = ["192.0.2.9"]
[[gameagent.games]]
name = "ut"
key = "secret"
validate = true
query-port = 7778
[warzone]
listen = "9990"
text = ":9991"
json = ":9993"
motd = "from the file"
max-connections = 3
[bans]
prefixes = ["192.0.2.7"]
patterns = ["^x"]
`)
	args := cli.DoubleDashes([]string{"-motd", "from a flag", "-json=", "-ban", "198.51.100.0/24", "-config", name, "-log",
		"warn", "-map", "192.168.1.2:5=203.0.113.7:6"})
	got, err := load(args)
	if err != nil {
		t.Fatal(err)
	}
	want := defaults()
	want.Log, want.Grace, want.Drain, want.Offset = slog.LevelWarn, duration(90*time.Second), duration(5*time.Second), 5
	want.Map = make([]mapRule, 2)
	for i, text := range []string{"127.0.0.1=203.0.113.7", "192.168.1.2:5=203.0.113.7:6"} {
		if err := want.Map[i].UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	want.GameAgent.Listen, want.GameAgent.MaxServers = address{"127.0.0.1:9010"}, 7
	want.GameAgent.Legacy, want.GameAgent.List = address{":27905"}, address{":28905"}
	want.GameAgent.Games = []legacyGameConfig{{Name: "ut", Key: "secret", Validate: true, QueryPort: 7778}}
	want.GameAgent.SyncFrom, want.GameAgent.SyncFor = []string{"192.0.2.9:28900"}, []ban.Prefix{prefix(t, "192.0.2.9")}
	want.Warzone.Listen, want.Warzone.Text = address{":9995"}, address{":9996"}
	want.Warzone.MOTD, want.Warzone.MaxConns = "from a flag", 3
	want.Bomberman.Listen, want.Web.Listen = address{":51968"}, address{"127.0.0.1:8085"}
	want.Metrics.Listen = address{"127.0.0.1:8086"}
	want.Bans.Prefixes = []ban.Prefix{prefix(t, "192.0.2.7"), prefix(t, "198.51.100.0/24")}
	var x pattern
	if err := x.UnmarshalText([]byte("^x")); err != nil {
		t.Fatal(err)
	}
	want.Bans.Patterns = []pattern{x}
	wantConfig(t, got, want)
}

// Errors name the setting, and its line if it is in the file.
func TestLoadErrorsNameTheSetting(t *testing.T) {
	for _, tt := range []struct{ file, args, want string }{
		{"mot = 3", "", ":1:1: there is no mot"},
		{"[warzone]\nmotd = 'x'\nmotto = 'y'\nmottoes = 1", "",
			":3:1: there is no warzone.motto\n4:1: there is no warzone.mottoes"},
		{"[warzone]\nmax-games = -1", "", ":2:13: negative"},
		{"[warzone]\nmax-games = 'many'", "", ":2:13: "},
		{"\n\ngrace = '10'", "", ":3:9: "},
		{"map = ['127.0.0.1']", "", ":1:8: "},
		{"map = ['127.0.0.1=203.0.113.7', '127.0.0.1=203.0.113.8']", "", "127.0.0.1 is mapped twice"},
		{"grace = '-10s'", "", `"-10s" is not a time`},
		{"log = 'loud'", "", ":1:7: "},
		{"[[gameagent.games]]\nkey = 'x'", "", `"" is not the name of a game`},
		{"[[gameagent.games]]\nname = 'a\\b'", "", "is not the name of a game"},
		{"[[gameagent.games]]\nname = 'ut'\nvalidate = true", "", "ut has no key"},
		{"[gameagent]\nsync-from = ['192.0.2.1']", "", "not host:port"},
		{"[web]\nlisten = '127.0.0.1'", "", ":2:10: \"127.0.0.1\" is not an address"},
		{"[web]\nlisten = ':99999'", "", "not an address"},
		{"[bans]\nprefixes = [\n'192.0.2.0/24',\n'192.0.2.0/33']", "", ":4:1: "},
		{"[bans]\npatterns = ['(']", "", ":2:13: error parsing regexp"},
		{"[bans]\npatterns = ['']", "", "would ban everybody"},
		{"[bans", "", ":1:"},
		{"a = 1\na = 2", "", ":2:"},
		{"", "-offset 60000", "offset 60000 moves"},
		{"", "-offset -9005", "offset -9005 moves"},
		{"", "-ban 192.0.2", "neither an address nor a prefix"},
		{"", "-ban-pattern [", "regexp"},
		{"", "-grace 10", "not a time"},
		{"", "-nosuch", "nosuch"},
		{"", "-peer 127.0.0.1:6222", "-nats embedded"},
		{"", "-nats embedded -peer 127.0.0.1:6222", "-routes"},
		{"", "-nats embedded -cluster 6222", "not host:port"},
		{"", "-nats nats://127.0.0.1 -cluster-secret-file x", "-nats embedded"},
		{"", "-cluster-ca x", "need -nats"},
		{"", "-nats embedded -cluster :6222 -peer :6223 -nats-token-file x", "external NATS server"},
		{"", "-nats embedded -cluster :6222 -peer :6223 -cluster-ca x", "TLS needs -cluster-ca, -cluster-cert and"},
		{"", "-nats embedded -cluster-ca x -cluster-cert x -cluster-key x", "-routes, which is off"},
		{"", "-nats nats://127.0.0.1 -cluster-cert x", "go together"},
		{"", "-nats nats://127.0.0.1 -nats-user x", "go together"},
		{"", "-nats nats://127.0.0.1 -nats-token-file x -nats-nkey-file x", "use one of"},
		{"[cluster]\nttl = '10ms'", "", "cluster.ttl is 10ms"},
		{"[cluster]\nreplicas = 6", "", "cluster.replicas is 6"},
		{"", "-admin-listen 127.0.0.1:0", "needs a token"},
		{"", "-motd " + strings.Repeat("x", warzone.MaxStatusText+1), "motd has"},
		{"", "-config /nosuch/file", "no such file"},
		{"", "nosuch", `"nosuch" is not a command`},
	} {
		args := strings.Fields(tt.args)
		if tt.file != "" {
			args = append(args, "-config", file(t, tt.file))
		}
		code, said := fails(t, args...)
		if code != exitUsage || !strings.Contains(said, tt.want) {
			t.Errorf("%q, %s: exit code %d, %s, want %q", tt.file, tt.args, code, said, tt.want)
		}
	}
}

func TestTokenIsNotGuessed(t *testing.T) {
	t.Setenv(tokenVariable, "short")
	if code, said := fails(t); code != exitUsage || !strings.Contains(said, "has 5 bytes") {
		t.Errorf("a short token: %d, %s", code, said)
	}
	t.Setenv(tokenVariable, "")
	if code, said := fails(t, "-admin-token-file", file(t, "\n")); code != exitUsage ||
		!strings.Contains(said, "is empty") {
		t.Errorf("an empty file: %d, %s", code, said)
	}
}

// The error for an address in use names the server and gives advice.
func TestErrorNamesTheServerOfATakenAddress(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	args := append(anywhere(), "-text", taken.Addr().String())
	code, said := fails(t, args...)
	if code != exitFailed || !strings.Contains(said, "choose another address with -text, or none with -text off") {
		t.Errorf("%d, %s", code, said)
	}
}

// The error for an address of the cluster in use does the same, without a delay.
func TestErrorNamesATakenClusterAddress(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	at := taken.Addr().String()
	began := time.Now()
	code, said := fails(t, append(anywhere(), "-nats", "embedded", "-cluster", at, "-peer", programtest.UnusedAddr(t))...)
	if code != exitFailed || !strings.Contains(said, "lobbyd: cluster: ") || !strings.Contains(said, at+": bind:") {
		t.Errorf("%d, %s", code, said)
	}
	if took := time.Since(began); took >= 10*time.Second { // how long a NATS server may take to start
		t.Errorf("after %v", took)
	}
}

// The error for a socket that cannot be created names its path.
func TestErrorNamesTheSocket(t *testing.T) {
	code, said := fails(t, append(anywhere(), "-admin", filepath.Join(t.TempDir(), "none", "admin.sock"))...)
	if code != exitFailed || !strings.Contains(said, "choose another path with -admin, or none with -admin off") {
		t.Errorf("%d, %s", code, said)
	}
}

// The proposals, which nobody has deployed, do not listen unless they are configured.
func TestProposalsAreOff(t *testing.T) {
	c, err := load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, at := range map[string]address{"text": c.Warzone.Text, "binary": c.Warzone.Binary, "json": c.Warzone.JSON} {
		if !at.off() {
			t.Errorf("-%s is %s", name, at.hostPort)
		}
	}
	if c, err = load([]string{"--text", ":9991"}); err != nil || c.Warzone.Text.hostPort != ":9991" {
		t.Errorf("%+v, %v", c.Warzone.Text, err)
	}
}
