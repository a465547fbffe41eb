package main

import (
	"bytes"
	"encoding/binary"
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/games"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// A script is a server of a game: it returns the datagrams that answer a request, in the form
// that the game sends, and nothing for other requests.
type script func(req []byte) [][]byte

const scriptChallenge = 9513307

// scripts returns a server for each game of gamespy2, with the peculiarities of the game.
// It takes answers from the golden files of the package.
func scripts(t *testing.T) map[string]script {
	files, err := golden.ReadDir("../../gamespy2")
	if err != nil {
		t.Fatal(err)
	}
	answer := func(names ...string) (packets [][]byte) {
		for _, name := range names {
			i := slices.IndexFunc(files, func(f golden.File) bool { return f.Name == name })
			if i < 0 {
				t.Fatalf("no golden file %s", name)
			}
			packets = append(packets, files[i].Data)
		}
		return packets
	}
	plain := func(names ...string) script { return scriptOf("\xff\xff\xff", 0, answer(names...)) }
	split := func(challenge int32, names ...string) script {
		return scriptOf("\xff\xff\xff\x01", challenge, answer(names...))
	}
	all := map[string]script{
		"battlefield2":       split(0, "tiny_v3split_p0", "tiny_v3split_p1"),
		"projectreality":     split(0, "v3_single_6players"),
		"battlefield2142":    split(scriptChallenge, "v3_columns"),
		"crysis":             split(scriptChallenge, "v3_empty_sections"),
		"crysis2":            split(scriptChallenge, "v3_empty_sections"),
		"crysiswars":         split(scriptChallenge, "v3_blanks"),
		"stalker":            split(scriptChallenge, "tiny_v3"),
		"ut3":                split(scriptChallenge, "v3_ut3_keys"),
		"minecraft":          split(scriptChallenge, "minecraft_motd_zero"),
		"minecraftbedrock":   split(-0x543210ee, "minecraft_bedrock_zero"), // as Nukkit sends it
		"jc2mp":              scriptOf("\xff\xff\xff\x02", scriptChallenge, answer("v3_jc2mp")),
		"gamespy2challenge":  split(scriptChallenge, "tiny_v3"),
		"gamespy2split":      scriptOf("\xff\xff\xff\x01", -1, answer("tiny_v3")),
		"gamespy2plain":      plain("tiny_v2"),
		"americasarmy":       plain("v2_missing_count"),
		"americasarmy2":      plain("v2_missing_count"),
		"arma":               plain("v2_info"),
		"halo":               plain("v2_info"),
		"halo2":              plain("v2_info"),
		"swat4":              plain("v2_info"),
		"battlefieldvietnam": plain("tiny_v2"),
	}
	for _, g := range games.All() {
		if all[g.Name] == nil && g.Ask == "plain" {
			all[g.Name] = plain("tiny_v2")
		}
	}
	return all
}

// scriptOf returns a server that answers queries with these bytes after the id and the
// challenge. If the challenge is 0, the server sends that it needs none. If it is
// negative, the server sends it in the form of Nukkit, and if it is -1, none.
func scriptOf(query string, challenge int32, packets [][]byte) script {
	return func(req []byte) [][]byte {
		if len(req) < 7 || req[0] != 0xfe || req[1] != 0xfd {
			return nil
		}
		id := [4]byte(req[3:7])
		want := []byte(query)
		switch {
		case req[2] == byte(gamespy2.TypeChallenge) && challenge < -1:
			return [][]byte{append(binary.BigEndian.AppendUint32(append([]byte{9}, id[:]...), uint32(challenge)), 0)}
		case req[2] == byte(gamespy2.TypeChallenge) && challenge != -1 && query != "\xff\xff\xff":
			b, _ := gamespy2.ChallengeResponse{ID: id, Number: challenge}.AppendBinary(nil)
			return [][]byte{b}
		case challenge != 0 && challenge != -1:
			want = append(binary.BigEndian.AppendUint32(nil, uint32(challenge)), query...)
		}
		if req[2] != byte(gamespy2.TypeQuery) || !bytes.Equal(req[7:], want) {
			return nil
		}
		var answer [][]byte
		for _, packet := range packets {
			b := bytes.Clone(packet)
			gamespy2.SetID(b, id)
			answer = append(answer, b)
		}
		return answer
	}
}

// Each game is listed with the query that its servers answer at the first attempt.
func TestGamesAnswerAtTheFirstAttempt(t *testing.T) {
	t.Parallel()
	all := scripts(t)
	for _, g := range games.All() {
		p, _ := protocols.Named(g.Name)
		if p.Name != "gamespy2" {
			continue
		}
		serve := all[g.Name]
		if serve == nil {
			t.Errorf("%s: no server is scripted", g.Name)
			continue
		}
		t.Run(g.Name, func(t *testing.T) {
			socket, err := net.ListenPacket("udp4", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				b := make([]byte, 1<<16)
				for {
					n, from, err := socket.ReadFrom(b)
					if err != nil {
						return
					}
					for _, packet := range serve(b[:n]) {
						socket.WriteTo(packet, from)
					}
				}
			}()
			t.Cleanup(func() {
				socket.Close()
				<-ended
			})
			settings := protocols.Settings{Ask: p.Asks[0], Timeout: time.Minute}
			addr := socket.LocalAddr().(*net.UDPAddr).AddrPort()
			got, err := p.Query(t.Context(), netip.AddrPortFrom(addr.Addr().Unmap(), addr.Port()), settings)
			if err != nil || got.Attempts != 1 || got.View.Name == "" {
				t.Errorf("%d attempts, name %q, %v", got.Attempts, got.View.Name, err)
			}
		})
	}
}
