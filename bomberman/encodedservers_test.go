package bomberman_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/bomberman"
)

// FrameServers returns the same bytes as encoding the list, for any parts.
func TestFrameServersEqualsTheEncodedList(t *testing.T) {
	for _, spread := range [][]int{{}, {0}, {1}, {0, 1}, {2, 0, 3}} {
		parts := [][]byte{nil}
		var list bomberman.QueryGameServersResponse
		for _, n := range spread {
			var part []byte
			for range n {
				s := bomberman.Server{
					Name: fmt.Sprint("server ", len(list.Servers)), Address: "192.0.2.1", Port: 8080,
					Players: bomberman.PlayerCount{Max: 4}, GameplayMode: bomberman.GameplayModeStandardA,
				}
				list.Servers = append(list.Servers, s)
				var err error
				part, err = s.AppendListed(part)
				if err != nil {
					t.Fatal(err)
				}
			}
			parts = append(parts, part)
		}
		parts = append(parts, nil)
		bomberman.FrameServers(parts)
		want, err := bomberman.AppendMessage(nil, list)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(bytes.Join(parts, nil))); diff != "" {
			t.Errorf("%v: %s", spread, diff)
		}
	}
}

// A list that fills the room can be sent, and a longer one cannot.
func TestRoomForServersIsWhatFits(t *testing.T) {
	s := bomberman.Server{
		Address: "192.0.2.1", Port: 8080,
		Players: bomberman.PlayerCount{Max: 4}, GameplayMode: bomberman.GameplayModeStandardA,
	}
	for _, tt := range []struct {
		spare int
		fits  bool
	}{{0, true}, {-1, false}} {
		s.Name = "x"
		b, err := s.AppendListed(nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Name = string(bytes.Repeat([]byte("x"), bomberman.RoomForServers()-len(b)+1-tt.spare))
		b, err = s.AppendListed(nil)
		if err != nil || len(b) != bomberman.RoomForServers()-tt.spare {
			t.Fatalf("%d bytes, %v", len(b), err)
		}
		_, err = bomberman.AppendMessage(nil, bomberman.QueryGameServersResponse{Servers: []bomberman.Server{s}})
		if (err == nil) != tt.fits {
			t.Errorf("with %d bytes to spare: error %v", tt.spare, err)
		}
	}
}

func TestAppendListedRefusesAndKeepsItsBuffer(t *testing.T) {
	if b, err := (bomberman.Server{}).AppendListed([]byte("before")); err == nil || string(b) != "before" {
		t.Errorf("got %q, %v", b, err)
	}
}
