package gamespy2net_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// minecraftState is the state of a Minecraft server with a number of players.
func minecraftState(players int) gamespy2net.State {
	v := gamespy2.Minecraft{
		MOTD: "Reef", GameType: "SMP", Version: "1.20.4", Plugins: "Paper: Map 1.2; Chat 3", Map: "world",
		NumPlayers: new(players), MaxPlayers: new(100), HostPort: new(25565), HostIP: "127.0.0.1",
	}
	for i := range players {
		v.Players = append(v.Players, fmt.Sprintf("Player%d", i))
	}
	m := v.Response([4]byte{})
	return gamespy2net.State{Minecraft: true, Info: m.Info, Players: m.Players}
}

func newMinecraftServer(t *testing.T, mode gamespy2net.ChallengeMode, players int) *gamespy2net.Server {
	t.Helper()
	s := &gamespy2net.Server{Challenge: mode}
	if err := s.Set(minecraftState(players)); err != nil {
		t.Fatal(err)
	}
	return s
}

// A minecraftClient is a query client of Minecraft: the bytes that it sends and its
// rules for answers.
type minecraftClient struct {
	name    string
	padding string // of the request for the full stat

	challenge func(b []byte) (int32, error)
	basic     func(b []byte) ([]string, error) // motd, game type, map, players, limit
	full      func(b []byte) (info map[string]string, players []string, err error)
}

var errLayout = errors.New("the answer has another layout")

// textChallenge reads a challenge as text without anything after its zero byte.
func textChallenge(b []byte) (int32, error) {
	if len(b) < 7 || b[0] != 9 || b[len(b)-1] != 0 {
		return 0, errLayout
	}
	n, err := strconv.ParseInt(string(b[5:len(b)-1]), 10, 32)
	return int32(n), err
}

// basicTexts reads a basic stat: five texts, a port and an address.
func basicTexts(b []byte) ([]string, error) {
	texts := strings.SplitN(string(b[5:]), "\x00", 6)
	if len(texts) != 6 || len(texts[5]) < 3 || binary.LittleEndian.Uint16([]byte(texts[5])) != 25565 {
		return nil, errLayout
	}
	return texts[:5], nil
}

// texts reads texts up to an empty one, and returns the bytes after it.
func texts(b []byte) (list []string, rest []byte, err error) {
	for {
		text, rest, ok := bytes.Cut(b, []byte{0})
		if !ok {
			return nil, nil, errLayout
		}
		if len(text) == 0 {
			return list, rest, nil
		}
		list, b = append(list, string(text)), rest
	}
}

// pairs makes a map of keys and values.
func pairs(list []string) map[string]string {
	m := map[string]string{}
	for i := 0; i+1 < len(list); i += 2 {
		m[list[i]] = list[i+1]
	}
	return m
}

// minecraftClients are the query clients, by what their sources do with the bytes.
func minecraftClients() []minecraftClient {
	const playersMark = "\x00\x01player_\x00\x00"
	return []minecraftClient{
		// It reads a stream of bytes, and refuses bytes that are left.
		{"minecraft-server-util 5.4.4", "\x00\x00\x00\x00", textChallenge, basicTexts,
			func(b []byte) (map[string]string, []string, error) {
				info, rest, err := texts(b[5+11:])
				if err != nil || len(rest) < 10 {
					return nil, nil, errLayout
				}
				players, rest, err := texts(rest[10:])
				if err != nil || len(rest) > 0 {
					return nil, nil, errLayout
				}
				return pairs(info), players, nil
			}},
		// It reads keys by their places, and its id is always 0.
		{"minecraft-query 1.0.13", "\x00\x00\x00\x00", textChallenge, basicTexts,
			func(b []byte) (map[string]string, []string, error) {
				head, tail, ok := strings.Cut(string(b[11:]), playersMark)
				kv := strings.Split(head, "\x00")
				if !ok || len(kv) < 20 {
					return nil, nil, errLayout
				}
				info := map[string]string{}
				for i, key := range []string{"hostname", "gametype", "game_id", "version", "plugins", "map",
					"numplayers",
					"maxplayers", "hostport"} {
					info[key] = kv[3+2*i]
				}
				return info, slices.DeleteFunc(strings.Split(tail, "\x00"), func(s string) bool { return s == "" }), nil
			}},
		// It splits the answer at the mark, which it must find once.
		{"mcstatusgo", "\x00\x00\x00\x00", textChallenge, basicTexts,
			func(b []byte) (map[string]string, []string, error) {
				parts := bytes.Split(b, []byte(playersMark))
				if len(parts) != 2 || len(parts[0]) < 16 {
					return nil, nil, errLayout
				}
				players, _, err := texts(parts[1])
				return pairs(strings.Split(string(parts[0][16:]), "\x00")), players, err
			}},
		// It requires the padding of Minecraft, byte by byte, and the key game_id.
		{"minequery", "\xff\xff\xff\x01", textChallenge, basicTexts,
			func(b []byte) (map[string]string, []string, error) {
				b, ok := bytes.CutPrefix(b[5:], []byte("splitnum\x00\x80\x00"))
				info, rest, err := texts(b)
				if !ok || err != nil {
					return nil, nil, errLayout
				}
				rest, ok = bytes.CutPrefix(rest, []byte("\x01player_\x00\x00"))
				if !ok || !bytes.HasSuffix(rest, []byte{0}) || pairs(info)["game_id"] != "MINECRAFT" {
					return nil, nil, errLayout
				}
				players, rest, err := texts(rest)
				if len(rest) > 0 {
					return nil, nil, errLayout
				}
				return pairs(info), players, err
			}},
	}
}

// All query clients of Minecraft get the full and the basic stat in every mode.
func TestServerAnswersMinecraftClients(t *testing.T) {
	for _, client := range minecraftClients() {
		for _, mode := range []gamespy2net.ChallengeMode{gamespy2net.ChallengeOffered, gamespy2net.ChallengeRequired,
			gamespy2net.ChallengeOff} {
			for _, players := range []int{0, 1, 64} {
				t.Run(fmt.Sprintf("%s, mode %d, %d players", client.name, mode, players), func(t *testing.T) {
					checkMinecraft(t, client, newMinecraftServer(t, mode, players), players)
				})
			}
		}
	}
}

func checkMinecraft(t *testing.T, client minecraftClient, s *gamespy2net.Server, players int) {
	t.Helper()
	ask := func(req string) []byte {
		t.Helper()
		answers, _ := s.Respond(asker, []byte(req), nil)
		if len(answers) != 1 || !strings.HasPrefix(string(answers[0][1:]), "\x01\x02\x03\x04") {
			t.Fatalf("%x is answered with %x", req, answers)
		}
		return answers[0]
	}
	const id = "\x01\x02\x03\x04"
	number, err := client.challenge(ask("\xfe\xfd\x09" + id))
	if err != nil {
		t.Fatal(err)
	}
	query := string(binary.BigEndian.AppendUint32([]byte("\xfe\xfd\x00"+id), uint32(number)))
	state := minecraftState(players)

	basic, err := client.basic(ask(query))
	if diff := cmp.Diff([]string{"Reef", "SMP", "world", strconv.Itoa(players), "100"}, basic); err != nil ||
		diff != "" {
		t.Errorf("basic stat: %v (-want +got):\n%s", err, diff)
	}
	info, names, err := client.full(ask(query + client.padding))
	if err != nil {
		t.Fatalf("full stat: %v", err)
	}
	for _, kv := range state.Info[:9] {
		if info[kv.Key] != kv.Value {
			t.Errorf("full stat: %s is %q, want %q", kv.Key, info[kv.Key], kv.Value)
		}
	}
	if len(names) != players || players > 0 && names[players-1] != state.Players.Rows[players-1][0] {
		t.Errorf("full stat: players %q", names)
	}
}

// A Minecraft server answers the clients of other games, too: the bytes of a query
// without a challenge are as many as the answers to a request for the basic stat.
func TestMinecraftServerAnswersOtherClients(t *testing.T) {
	s := newMinecraftServer(t, gamespy2net.ChallengeOffered, 2)
	for name, req := range map[string][]byte{
		"split": wireOf(t, fullQuery(gamespy2.FlagSplit)), "plain": wireOf(t, fullQuery(0)),
	} {
		answers, _ := s.Respond(asker, req, nil)
		if len(answers) != 1 {
			t.Fatalf("%s: %d answers", name, len(answers))
		}
		m, err := gamespy2.ParseResponse(answers[0])
		if err != nil || len(m.Players.Rows) != 2 || m.Split != (name == "split") {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
}

// Like Minecraft, a server answers a request with less padding than that for the full stat with
// the basic one, if its challenge is right.
func TestMinecraftServerAnswersShortPadding(t *testing.T) {
	for _, mode := range []gamespy2net.ChallengeMode{gamespy2net.ChallengeOffered, gamespy2net.ChallengeRequired} {
		s := newMinecraftServer(t, mode, 2)
		request := func(challenge int32, padding string) []byte {
			b := binary.BigEndian.AppendUint32(append([]byte("\xfe\xfd\x00"), id[:]...), uint32(challenge))
			return append(b, padding...)
		}
		number := challengeFor(t, s, asker)
		for _, padding := range []string{"\x00", "\x00\x00"} {
			answers, _ := s.Respond(asker, request(number, padding), nil)
			if len(answers) != 1 {
				t.Errorf("mode %d, padding %x: %d answers", mode, padding, len(answers))
				continue
			}
			if m, err := gamespy2.ParseBasicStat(answers[0]); err != nil || m.ID != id || m.NumPlayers != 2 {
				t.Errorf("mode %d, padding %x: %+v, %v", mode, padding, m, err)
			}
			if answers, _ := s.Respond(asker, request(number+1, padding), nil); len(answers) > 0 {
				t.Errorf("mode %d, padding %x: a wrong challenge is answered", mode, padding)
			}
		}
	}
}

// A Minecraft server that requires challenges answers none that is wrong.
func TestMinecraftServerRequiresChallenges(t *testing.T) {
	s := newMinecraftServer(t, gamespy2net.ChallengeRequired, 2)
	for _, end := range []string{"\x00\x01\x86\xa0", "\x00\x01\x86\xa0\x00\x00\x00\x00", "\xff\xff\xff\x01"} {
		if answers, _ := s.Respond(asker, []byte("\xfe\xfd\x00\x01\x02\x03\x04"+end), nil); len(answers) > 0 {
			t.Errorf("%x is answered", end)
		}
	}
}

func TestServerRefusesMinecraftStates(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(s *gamespy2net.State)
		kind   error
	}{
		{"a key missing", func(s *gamespy2net.State) { s.Info = s.Info[1:] }, lobbywire.ErrInvalid},
		{"not a number", func(s *gamespy2net.State) { s.Info[8].Value = "high" }, lobbywire.ErrInvalid},
		{"teams", func(s *gamespy2net.State) { s.Teams.Columns = []string{"team_t"} }, lobbywire.ErrInvalid},
		{"more than clients read", func(s *gamespy2net.State) { *s = minecraftState(1000) }, lobbywire.ErrTooLarge},
	} {
		state := minecraftState(1)
		tt.change(&state)
		if err := new(gamespy2net.Server).Set(state); !errors.Is(err, tt.kind) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.kind)
		}
	}
}
