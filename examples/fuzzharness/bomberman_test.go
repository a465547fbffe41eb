package fuzzharness

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

// FuzzBomberman fuzzes the server's function for one connection.
func FuzzBomberman(f *testing.F) {
	fuzzBomberman(f, converse(new(BombermanServer).Converse))
}

// FuzzBombermanSocket fuzzes the server behind a socket.
func FuzzBombermanSocket(f *testing.F) { fuzzBomberman(f, listenTCP(f, new(BombermanServer).Serve)) }

func fuzzBomberman(f *testing.F, server talk) {
	fuzz(f, bombermanSeeds(f), func(stream []byte) error { return tryBomberman(server, stream) })
}

// bombermanSeeds returns the golden files of messages to management servers:
// each unchanged and, if it is a single message, also re-encoded and followed
// by a query, whose answer shows its effect.
func bombermanSeeds(t testing.TB) (all [][]byte) {
	t.Helper()
	for _, frame := range golden(t, "bomberman", "server to master", "client to master", "either") {
		all = append(all, frame)
		m, err := bomberman.ParseFrame(frame)
		if err != nil {
			continue
		}
		stream, err := bomberman.AppendMessage(nil, m)
		if err != nil {
			continue // real programs send it, but the encoder refuses it
		}
		stream, err = bomberman.AppendMessage(stream, bomberman.QueryGameServers{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, stream)
	}
	return all
}

// tryBomberman sends a stream, checks the answers, and then checks that the
// server still answers.
func tryBomberman(server talk, stream []byte) error {
	query, err := bomberman.AppendMessage(nil, bomberman.QueryGameServers{})
	if err != nil {
		return err
	}
	return server.tryAll(judgeBomberman, stream, query)
}

// judgeBomberman returns an error if the answers to a stream are wrong.
func judgeBomberman(stream, answers []byte) error {
	strict := bomberman.Options{Strict: true}
	framer := bomberman.Framer{Options: strict}
	got := 0
	for rest := answers; len(rest) > 0; got++ {
		payload, after, err := framer.Next(rest)
		if err != nil {
			return explained(fmt.Errorf("answer %d: %w", got+1, err), bomberman.ExplainFrame(rest), rest)
		}
		if _, err := strict.ParseQueryGameServersResponse(payload); err != nil {
			return explained(fmt.Errorf("answer %d: %w", got+1, err), bomberman.ExplainMessage(payload), payload)
		}
		rest = after
	}
	least, most, err := queriesIn(stream)
	if got < least || got > most {
		return fmt.Errorf("%d answers, want %d to %d; the stream ends with %v", got, least, most, err)
	}
	return nil
}

// queriesIn returns the minimum and maximum number of answers to a stream. A
// server may or may not accept a message that is not strictly valid as a query.
// After the first invalid frame, it may treat the rest in any way.
func queriesIn(stream []byte) (least, most int, err error) {
	strict := bomberman.Options{Strict: true}
	framer := bomberman.Framer{Options: strict}
	for {
		payload, after, err := framer.Next(stream)
		if errors.Is(err, lobbywire.ErrTruncated) {
			return least, most, err
		}
		if err != nil {
			return least, most + len(stream), err
		}
		m, _ := strict.ParseMessage(payload) // nil if it is invalid
		switch m.(type) {
		case bomberman.QueryGameServers:
			least++
			most++
		case bomberman.Unknown, nil:
			most++
		}
		stream = after
	}
}

// The harness detects the faults of these servers.
func TestFaultyBombermanServers(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(answers []byte) []byte
		want   string
	}{
		"silent":        {func([]byte) []byte { return nil }, "0 answers, want 1 to 1"},
		"answers twice": {func(b []byte) []byte { return append(b, b...) }, "2 answers, want 1 to 1"},
		"forgets the line end": {
			func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte(" ")) },
			"newline at byte 60: invalid value",
		},
		"counts one short": {
			func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("59{"), []byte("58{")) },
			"newline at byte 59: invalid value",
		},
		"sends a query back": {
			func([]byte) []byte { return []byte(`33{"command":"msQueryGameServers"}` + "\n") },
			"command at byte 11: invalid value",
		},
		"lists a port that none is": {
			func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(`"port":2`), []byte(`"port":9`)) },
			"content.servers[0].port at byte",
		},
	} {
		t.Run(name, func(t *testing.T) {
			faulty := converse(new(BombermanServer).Converse).changed(tt.change)
			wantNoticed(t, tt.want, bombermanSeeds(t), func(seed []byte) error { return tryBomberman(faulty, seed) })
		})
	}
}
