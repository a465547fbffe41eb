package warzone_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone"
)

// updateOf returns the update that versioned(version, "") is.
func updateOf(version uint32) warzone.Update {
	return warzone.Update{Game: wantVersioned(version, func(*warzone.Game) {})}
}

func TestHostStreamReadsAnyPieces(t *testing.T) {
	add := warzone.AddGame{Game: wantVersioned(4, func(*warzone.Game) {})}
	little := warzone.Update{Game: wantRecord(warzone.Layout20)}
	another := little
	another.Game.Name = "addg\x01"
	for _, tt := range []struct {
		name, in string
		want     []codectest.Message
		left     string
	}{
		{"a host of 4.x", "gaId\x00addg\x00" + versioned(4, "") + versioned(4, "") + "keep\x00keep\x00",
			[]codectest.Message{warzone.GameIDRequest{}, add, updateOf(4), warzone.Keep{}, warzone.Keep{}}, ""},
		{"a bot", "LIST\n\r", []codectest.Message{warzone.ListRequest{}}, ""},
		{"no last byte", "list", []codectest.Message{warzone.ListRequest{}}, ""},
		{"bytes between requests", "\r\nkeep\n\x00\x00\x00\x00" + versioned(2, "") + "\x00\x00\x00keep ",
			[]codectest.Message{warzone.Keep{}, updateOf(2), warzone.Keep{}}, ""},
		{"zero bytes at the end", "keep\x00\x00\x00\x00\x00\x00", []codectest.Message{warzone.Keep{}}, "\x00\x00\x00"},
		{"a request that is cut", "keep\x00addg\x00" + versioned(4, "")[:800],
			[]codectest.Message{warzone.Keep{}}, "addg\x00" + versioned(4, "")[:800]},
		{"records, whatever their names",
			"addg\x00" + littleEndian(record("name")) + littleEndian(record("addg\x01")) +
				littleEndian(record("name")) + "keep\x00",
			[]codectest.Message{warzone.AddGame(little), another, little}, "keep\x00"},
		{"byte order of the first record",
			"addg\x00" + littleEndian(record("name")) + pad(64, "name") + words(0, 0x01000000) +
				littleEndian(record(""))[72:],
			[]codectest.Message{warzone.AddGame(little), warzone.Update{Game: func() warzone.Game {
				m := wantRecord(warzone.Layout20)
				m.Size = 0
				return m
			}()}}, ""},
		{"no command", "vers" + "keep\x00", []codectest.Message{warzone.Unknown{Command: "vers"}, warzone.Keep{}}, ""},
	} {
		got, left, err := hostStreams.Read([]byte(tt.in), func() int { return len(tt.in) })
		if diff := cmp.Diff(tt.want, got); diff != "" || string(left) != tt.left || err != nil {
			t.Errorf("%s: left %q, want %q, error %v (-want +got):\n%s", tt.name, left, tt.left, err, diff)
		}
		for _, size := range []int{1, 2, 3, 5, 113, 800} {
			hostStreams.CheckParts(t, []byte(tt.in), func() int { return size })
		}
	}
}

// A command is complete with its letters, and its last byte may be any.
func TestHostStreamNeedsNoLastByte(t *testing.T) {
	var s warzone.HostStream
	m, rest, err := s.NextRequest([]byte("list"))
	if _, ok := m.(warzone.ListRequest); !ok || len(rest) > 0 || err != nil {
		t.Fatalf("got %v, %d bytes left, %v", m, len(rest), err)
	}
	again := s // a copy goes on from the same place
	for _, s := range []*warzone.HostStream{&s, &again} {
		m, rest, err = s.NextRequest([]byte("xkeep"))
		if _, ok := m.(warzone.Keep); !ok || len(rest) > 0 || err != nil {
			t.Errorf("got %v, %d bytes left, %v", m, len(rest), err)
		}
	}
}

func TestHostStreamLocatesErrors(t *testing.T) {
	filled := "name\x00x" + record("name")[6:]
	for _, tt := range []struct {
		name, in string
		o        warzone.Options
		err      error
		field    string
		offset   int
	}{
		{"another version", "\n\naddg\x00" + words(9), warzone.Options{}, lobbywire.ErrUnsupported, "game.version", 7},
		{"update of another version", words(9), warzone.Options{}, lobbywire.ErrUnsupported, "game.version", 0},
		{"strictly, last byte", "list\n", strict, lobbywire.ErrInvalid, "commandEnd", 4},
		{"strictly, record that is not filled", "addg\x00" + filled, strict, lobbywire.ErrInvalid, "game.name", 5},
	} {
		s := warzone.HostStream{Options: tt.o}
		m, rest, err := s.NextRequest([]byte(tt.in))
		wantError(t, tt.name, err, tt.err, tt.field, tt.offset)
		if m != nil || len(rest) != len(tt.in) {
			t.Errorf("%s: got %v, %d bytes left of %d", tt.name, m, len(rest), len(tt.in))
		}
	}
	s := warzone.HostStream{Options: strict}
	_, rest, err := s.NextRequest([]byte("addg\x00" + record("name") + filled))
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = s.NextRequest(rest)
	wantError(t, "strictly, second record that is not filled", err, lobbywire.ErrInvalid, "game.name", 0)
}

// A strict stream waits for the last byte of a command.
func TestStrictHostStreamWaitsForTheLastByte(t *testing.T) {
	s := warzone.HostStream{Options: strict}
	if _, _, err := s.NextRequest([]byte("list")); err != lobbywire.ErrTruncated {
		t.Errorf("without a last byte: %v", err)
	}
	if m, _, err := s.NextRequest([]byte("list\x00")); err != nil || m != (warzone.ListRequest{}) {
		t.Errorf("got %v, %v", m, err)
	}
}

func TestLobbyStreamReadsAnyPieces(t *testing.T) {
	in := "\x01\x02\x03\x04" + words(200, 2) + "OK" + words(406, 0) + words(200, 5) + "cut"
	for size := 1; size <= len(in); size++ {
		got, left, err := lobbyStreams.Read([]byte(in), func() int { return size })
		want := []codectest.Message{
			warzone.GameIDReply{GameID: 0x01020304},
			warzone.Status{Code: 200, Text: "OK"},
			warzone.Status{Code: 406},
		}
		if diff := cmp.Diff(want, got); diff != "" || len(left) != 11 || err != nil {
			t.Errorf("parts of %d: left %q, error %v (-want +got):\n%s", size, left, err, diff)
		}
	}
	_, _, err := lobbyStreams.Read([]byte("\x01\x02\x03\x04"+words(200, 1<<17)), func() int { return 100 })
	wantError(t, "text too long", err, lobbywire.ErrTooLarge, "length", 4)
}

// A host of 2.2 does not request an id.
func TestLobbyStreamMayLackTheGameID(t *testing.T) {
	law := lobbyStream(warzone.LobbyStream{HasGameID: true})
	got, left, err := law.Read([]byte(words(200, 0)), func() int { return 100 })
	if diff := cmp.Diff([]codectest.Message{warzone.Status{Code: 200}}, got); diff != "" || len(left) > 0 ||
		err != nil {
		t.Errorf("left %q, error %v (-want +got):\n%s", left, err, diff)
	}
}
