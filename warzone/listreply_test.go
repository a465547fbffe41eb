package warzone_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/warzone"
)

// list returns a batch of games.
func list(games ...string) string { return words(uint32(len(games))) + strings.Join(games, "") }

// ok is a status block.
func ok() string { return words(200, 2) + "OK" }

// named returns a game of version 3 with a name and a size.
func named(name string, size uint32) string {
	return words(3) + pad(64, name) + words(size) + pad(742, "")
}

func wantNamed(names ...string) []warzone.Game {
	all := []warzone.Game{}
	for _, n := range names {
		all = append(all, warzone.Game{Version: 3, Name: n, Size: 72})
	}
	return all
}

// repeated returns n games.
func repeated(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = named("x", 72)
	}
	return all
}

func TestListReplyAcceptsItsFormsOnly(t *testing.T) {
	status := &warzone.Status{Code: warzone.StatusOK, Text: "OK"}
	a, b, c := named("a", 72), named("b", 72), named("c", 72)
	version5, version99 := words(5)+a[4:], words(99)+a[4:]
	little := record("name")
	type reply = warzone.ListReply
	listReplyCodec.Table(t, []codectest.Case[reply]{
		{Name: "no games", In: list(), Want: reply{Games: wantNamed()}},
		{Name: "one batch", In: list(a, b), Want: reply{Games: wantNamed("a", "b")}},
		{Name: "records", In: list(record("name"), record("name")),
			Want: reply{Games: []warzone.Game{wantRecord(warzone.Layout21), wantRecord(warzone.Layout21)}}},
		{Name: "little-endian records", In: list(littleEndian(little), littleEndian(little)),
			Want: reply{Games: []warzone.Game{wantRecord(warzone.Layout20), wantRecord(warzone.Layout20)}}},
		{Name: "no games, status", In: list() + ok(), Want: reply{Games: wantNamed(), Status: status}},
		{Name: "one batch, status", In: list(a) + ok(), Want: reply{Games: wantNamed("a"), Status: status}},
		{Name: "second batch continues", In: list(a) + ok() + words(0) + list(b, c),
			Want: reply{Games: wantNamed("a", "b", "c"), Status: status, Batches: &warzone.Batches{First: 1}}},
		{Name: "second batch continues nothing", In: list() + ok() + words(0) + list(b),
			Want: reply{Games: wantNamed("b"), Status: status, Batches: &warzone.Batches{}}},
		{Name: "empty second batch continues", In: list(a) + ok() + words(0) + list(),
			Want: reply{Games: wantNamed("a"), Status: status, Batches: &warzone.Batches{First: 1}}},
		{Name: "second batch replaces its start", In: list(a, b) + ok() + words(1) + list(a, b, c),
			Want: reply{Games: wantNamed("a", "b", "c"), Status: status,
				Batches: &warzone.Batches{Parameters: 1, First: 2}}},
		{Name: "second batch replaces nothing", In: list() + ok() + words(1) + list(a),
			Want: reply{Games: wantNamed("a"), Status: status, Batches: &warzone.Batches{Parameters: 1}}},
		{Name: "second batch replaces others", In: list(a, c) + ok() + words(3) + list(a, b, c),
			Want: reply{Games: wantNamed("a", "b", "c"), Status: status,
				Batches: &warzone.Batches{Parameters: 3, Ignored: wantNamed("a", "c")}}},
		{Name: "nothing replaces", In: list(a) + ok() + words(1) + list(),
			Want: reply{Games: wantNamed(), Status: status,
				Batches: &warzone.Batches{Parameters: 1, Ignored: wantNamed("a")}}},

		{Name: "zero word for a second batch", In: list(a) + ok() + words(0), Differs: true,
			Want: reply{Games: wantNamed("a"), Status: status}, Strict: lobbywire.ErrTruncated},
		{Name: "dead games", In: list(named("x", 0), a, named("y", 0)) + ok() + words(0) + list(named("z", 0), b),
			Differs: true,
			Want:    reply{Games: wantNamed("a", "b"), Status: status, Batches: &warzone.Batches{First: 1}},
			Strict:  lobbywire.ErrInvalid},

		{Name: "nothing", In: "", Err: lobbywire.ErrTruncated, Field: "games.count", Offset: 0},
		{Name: "count alone", In: words(1), Err: lobbywire.ErrTruncated, Field: "games[0].version", Offset: 4},
		{Name: "game cut", In: list(a, b)[:1000],
			Err: lobbywire.ErrTruncated, Field: "games[1].secondaryHosts[1]", Offset: 998},
		{Name: "status cut", In: list(a) + words(200, 2) + "O",
			Err: lobbywire.ErrTruncated, Field: "status.text", Offset: 826},
		{Name: "parameters cut", In: list(a) + ok() + "\x00",
			Err: lobbywire.ErrTruncated, Field: "parameters", Offset: 828},
		{Name: "second batch missing that replaces", In: list(a) + ok() + words(1),
			Err: lobbywire.ErrTruncated, Field: "secondBatch.count", Offset: 832},
		{Name: "second batch cut", In: list() + ok() + words(0) + list(a)[:100],
			Err: lobbywire.ErrTruncated, Field: "secondBatch[0].host", Offset: 98},
		{Name: "byte after the second batch", In: list() + ok() + words(0) + list() + "x",
			Err: lobbywire.ErrTrailing, Offset: 22},
		{Name: "too many games", In: words(1025), Err: lobbywire.ErrTooLarge, Field: "games.count", Offset: 0},
		{Name: "too many games in the second batch", In: list() + ok() + words(1, 1025),
			Err: lobbywire.ErrTooLarge, Field: "secondBatch.count", Offset: 18},
		{Name: "status too long", In: list() + words(200, 1<<17),
			Err: lobbywire.ErrTooLarge, Field: "status.length", Offset: 8},
		{Name: "other versions", In: list(version5, a, version99, b, version5) + ok() + words(0) + list(version99, c),
			Want:   reply{Games: wantNamed("a", "b", "c"), Status: status, Batches: &warzone.Batches{First: 2}, Skipped: 4},
			Strict: lobbywire.ErrUnsupported, Refused: true},
		{Name: "other versions in a batch that is replaced",
			In: list(a, version5) + ok() + words(1) + list(a, version5, b),
			Want: reply{Games: wantNamed("a", "b"), Status: status, Batches: &warzone.Batches{Parameters: 1, First: 1},
				Skipped: 1},
			Strict: lobbywire.ErrUnsupported, Refused: true},
		{Name: "another version cut", In: list(words(9)), Strict: lobbywire.ErrUnsupported,
			Err: lobbywire.ErrTruncated, Field: "games[0].unknownVersion", Offset: 4},
		{Name: "other bytes than a game", In: list(a, words(99)+pad(810, "")),
			Err: lobbywire.ErrUnsupported, Field: "games[1].version", Offset: 818},
		{Name: "record after a game", In: list(a, record("name")),
			Err: lobbywire.ErrUnsupported, Field: "games[1].version", Offset: 818},
	})
}

func TestListReplyRefusesWhatTheWireCannotCarry(t *testing.T) {
	type reply = warzone.ListReply
	type batches = warzone.Batches
	status := &warzone.Status{}
	game := warzone.Game{Version: 4, Size: 72}
	many := func(n int) []warzone.Game { return manyGames(n) }
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "skipped", Value: reply{Games: []warzone.Game{game}, Skipped: 1},
			Err: lobbywire.ErrInvalid, Field: "skipped"},
		{Name: "dead game", Value: reply{Games: []warzone.Game{game, {Version: 4}}},
			Err: lobbywire.ErrInvalid, Field: "games[1].size"},
		{Name: "game refused", Value: reply{Games: []warzone.Game{{Version: 5, Size: 72}}},
			Err: lobbywire.ErrUnsupported, Field: "games[0].version"},
		{Name: "record among games", Value: reply{Games: []warzone.Game{game, wantRecord(warzone.Layout21)}},
			Err: lobbywire.ErrInvalid, Field: "games[1].layout"},
		{Name: "two byte orders",
			Value: reply{Games: []warzone.Game{wantRecord(warzone.Layout20), wantRecord(warzone.Layout21)}},
			Err:   lobbywire.ErrInvalid, Field: "games[1].layout"},
		{Name: "13 games without status", Value: reply{Games: many(13)},
			Err: lobbywire.ErrTooLarge, Field: "games.count"},
		{Name: "12 games with status", Value: reply{Games: many(12), Status: status},
			Err: lobbywire.ErrTooLarge, Field: "games.count"},
		{Name: "first batch of 12 games", Value: reply{Games: many(12), Status: status, Batches: &batches{First: 12}},
			Err: lobbywire.ErrTooLarge, Field: "games.count"},
		{Name: "12 games that are ignored",
			Value: reply{Status: status, Batches: &batches{Parameters: 1, Ignored: many(12)}},
			Err:   lobbywire.ErrTooLarge, Field: "games.count"},
		{Name: "1025 games", Value: fullList(1025), Err: lobbywire.ErrTooLarge, Field: "games.count"},
		{Name: "dead game in the second batch",
			Value: reply{Games: []warzone.Game{game, {Version: 4}}, Status: status, Batches: &batches{First: 1}},
			Err:   lobbywire.ErrInvalid, Field: "games[1].size"},
		{Name: "dead game that is ignored",
			Value: reply{Status: status, Batches: &batches{Parameters: 1, Ignored: []warzone.Game{{Version: 4}}}},
			Err:   lobbywire.ErrInvalid, Field: "batches.ignored[0].size"},
		{Name: "record that is ignored",
			Value: reply{Games: []warzone.Game{game}, Status: status,
				Batches: &batches{Parameters: 1, Ignored: []warzone.Game{wantRecord(warzone.Layout21)}}},
			Err: lobbywire.ErrInvalid, Field: "games[0].layout"},
		{Name: "batches without status", Value: reply{Batches: &batches{}}, Err: lobbywire.ErrInvalid, Field: "status"},
		{Name: "first batch larger than all", Value: reply{Games: many(2), Status: status, Batches: &batches{First: 3}},
			Err: lobbywire.ErrInvalid, Field: "batches.first"},
		{Name: "first batch of less than none",
			Value: reply{Games: many(2), Status: status, Batches: &batches{First: -1}},
			Err:   lobbywire.ErrInvalid, Field: "batches.first"},
		{Name: "ignored games that are continued", Value: reply{Status: status, Batches: &batches{Ignored: many(1)}},
			Err: lobbywire.ErrInvalid, Field: "batches.ignored"},
		{Name: "two first batches",
			Value: reply{Games: many(1), Status: status, Batches: &batches{Parameters: 1, First: 1, Ignored: many(1)}},
			Err:   lobbywire.ErrInvalid, Field: "batches.ignored"},
		{Name: "status refused", Value: reply{Status: &warzone.Status{Text: strings.Repeat("x", 1<<17)}},
			Err: lobbywire.ErrTooLarge, Field: "status.text"},
	})
}

// Lists of the sizes that old clients accept can be appended.
func TestListsOfOldClientsHaveTwelveGames(t *testing.T) {
	for _, m := range []warzone.ListReply{
		{Games: manyGames(12)},
		{Games: manyGames(11), Status: &warzone.Status{}},
	} {
		b := mustAppend(t, m)
		got, err := strict.ParseListReply(b)
		if diff := cmp.Diff(m, got); diff != "" || err != nil {
			t.Errorf("%d games: error %v (-want +got):\n%s", len(m.Games), err, diff)
		}
	}
	for _, in := range []string{list(repeated(13)...), list(repeated(12)...) + ok()} {
		_, err := strict.ParseListReply([]byte(in))
		wantError(t, "strictly", err, lobbywire.ErrTooLarge, "games.count", 0)
		listReplyCodec.Check(t, []byte(in))
	}
}

func TestStrictListReplyRefusesDeadGames(t *testing.T) {
	a := named("a", 72)
	_, err := strict.ParseListReply([]byte(list(a, named("x", 0))))
	wantError(t, "dead game", err, lobbywire.ErrInvalid, "games[1].size", 4+814+68)
	_, err = strict.ParseListReply([]byte(list(pad(64, "name") + pad(48, ""))))
	wantError(t, "dead record", err, lobbywire.ErrInvalid, "games[0].size", 4+64)
	_, err = strict.ParseListReply([]byte(list(a) + ok() + words(0)))
	wantError(t, "zero word", err, lobbywire.ErrTruncated, "secondBatch.count", 832)
}

// The largest reply that AppendBinary writes can be parsed.
func TestLargestListReplyCanBeParsed(t *testing.T) {
	m := replyForAll(manyGames(warzone.MaxGames), warzone.Status{Text: strings.Repeat("x", warzone.MaxStatusText)})
	if _, err := warzone.ParseListReply(mustAppend(t, m)); err != nil {
		t.Error(err)
	}
}

// The first game determines the layout of both batches, also if the first is empty.
func TestFirstGameDeterminesTheLayout(t *testing.T) {
	for _, code := range []uint32{0, 1, 200, 0x61626364} {
		empty := list() + words(code, 2) + "OK" + words(1)
		for _, tt := range []struct {
			name, game string
			want       warzone.Game
		}{
			{"record", record("name"), wantRecord(warzone.Layout21)},
			{"version word", named("a", 72), wantNamed("a")[0]},
		} {
			m, err := warzone.ParseListReply([]byte(empty + list(tt.game)))
			if err != nil {
				t.Errorf("status %d, %s: %v", code, tt.name, err)
				continue
			}
			if diff := cmp.Diff([]warzone.Game{tt.want}, m.Games); diff != "" {
				t.Errorf("status %d, %s (-want +got):\n%s", code, tt.name, diff)
			}
		}
	}
	_, err := warzone.ParseListReply([]byte(list(record("name")) + ok() + words(1) + list(named("a", 72))))
	if err == nil {
		t.Error("a game of another layout than the first is accepted")
	}
}

func TestListsAboveMaxGamesAreRefused(t *testing.T) {
	in := []byte(list(named("a", 72), named("b", 72)))
	for limit, want := range map[int]error{2: nil, 1: lobbywire.ErrTooLarge, -1: lobbywire.ErrTooLarge} {
		o := warzone.Options{MaxGames: limit}
		if _, err := o.ParseListReply(in); !errors.Is(err, want) {
			t.Errorf("limit %d: %v", limit, err)
		}
		if _, _, err := o.ListReplyEnd(in); !errors.Is(err, want) {
			t.Errorf("limit %d, end: %v", limit, err)
		}
	}
}

// Options.Part cuts the first batch with too many games, and ignores the rest.
func TestPartCutsTheFirstBatch(t *testing.T) {
	first := list(named("a", 72), named("b", 72))
	second := list(named("a", 72), named("b", 72), named("c", 72))
	whole := first + ok() + words(warzone.IgnoreFirstBatch) + second
	for _, tt := range []struct {
		limit int
		end   int
		want  []warzone.Game
	}{
		{3, len(whole), wantNamed("a", "b", "c")},
		{2, len(whole) - warzone.GameSize, wantNamed("a", "b")},
		{1, len(first) - warzone.GameSize, wantNamed("a")},
	} {
		o := warzone.Options{MaxGames: tt.limit, Part: true}
		end, isWhole, err := o.ListReplyEnd([]byte(whole))
		if end != tt.end || !isWhole || err != nil {
			t.Errorf("limit %d: ends at %d, %v, %v; want %d", tt.limit, end, isWhole, err, tt.end)
		}
		for _, n := range []int{tt.end, len(whole)} {
			m, err := o.ParseListReply([]byte(whole)[:n])
			if diff := cmp.Diff(tt.want, m.Games); err != nil || diff != "" {
				t.Errorf("limit %d of %d bytes: %v\n%s", tt.limit, n, err, diff)
			}
		}
		if _, _, err := o.ListReplyEnd([]byte(whole)[:tt.end-1]); tt.limit < 3 && err != lobbywire.ErrTruncated {
			t.Errorf("limit %d, cut: %v", tt.limit, err)
		}
	}
}

func TestListReplyEndFindsTheEnd(t *testing.T) {
	a := named("a", 72)
	type result struct {
		End   int
		Whole bool
		Err   error
	}
	for _, tt := range []struct {
		name, in string
		want     result
	}{
		{"nothing", "", result{Err: lobbywire.ErrTruncated}},
		{"count alone", list(a)[:4], result{Err: lobbywire.ErrTruncated}},
		{"game cut", list(a)[:817], result{Err: lobbywire.ErrTruncated}},
		{"games", list(a), result{End: 818}},
		{"records", list(record("a"), record("b")), result{End: 228}},
		{"no games", list(), result{End: 4}},
		{"status cut", list(a) + ok()[:9], result{End: 818}},
		{"status", list(a) + ok(), result{End: 828}},
		{"parameters cut", list(a) + ok() + "\x00\x00\x00", result{End: 828}},
		{"batch that continues to come", list(a) + ok() + words(0), result{End: 832}},
		{"batch that continues cut", list(a) + ok() + words(0) + list(a)[:100], result{End: 832}},
		{"batch that continues", list(a) + ok() + words(0) + list(a), result{End: 1650, Whole: true}},
		{"batch that replaces to come", list(a) + ok() + words(1), result{Err: lobbywire.ErrTruncated}},
		{"batch that replaces cut", list(a) + ok() + words(1) + list(a)[:817], result{Err: lobbywire.ErrTruncated}},
		{"batch that replaces", list(a) + ok() + words(1) + list(a), result{End: 1650, Whole: true}},
		{"bytes after the reply", list() + ok() + words(1) + list() + "x", result{End: 22, Whole: true}},
	} {
		end, whole, err := warzone.ListReplyEnd([]byte(tt.in))
		if got := (result{end, whole, err}); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
		checkEnd(t, []byte(tt.in))
	}
	for _, tt := range []struct {
		in, field string
		offset    int
	}{
		{words(1 << 20), "games.count", 0},
		{list(a) + words(200, 1<<20), "status.length", 822},
		{list() + ok() + words(0, 1<<20), "secondBatch.count", 18},
	} {
		_, _, err := warzone.ListReplyEnd([]byte(tt.in))
		wantError(t, tt.field, err, lobbywire.ErrTooLarge, tt.field, tt.offset)
	}
	if end, whole, err := strict.ListReplyEnd([]byte(list() + ok() + words(0))); end != 14 || whole || err != nil {
		t.Errorf("strictly, zero word: %d, %v, %v", end, whole, err)
	}
}

func TestListReplyEndAgreesWithGoldenFiles(t *testing.T) {
	for _, f := range golden.Load(t) {
		if f.Message() == "ListReply" {
			for n := range len(f.Data) + 1 {
				checkEnd(t, f.Data[:n])
			}
		}
	}
}

// checkEnd compares ListReplyEnd with ParseListReply.
func checkEnd(t *testing.T, b []byte) {
	t.Helper()
	parse := func(b []byte) error {
		_, err := warzone.ParseListReply(b)
		return err
	}
	end, whole, err := warzone.ListReplyEnd(b)
	if err != nil {
		if parse(b) == nil {
			t.Fatalf("%x: valid, but has no end: %v", b, err)
		}
		return
	}
	if parse(b) == nil && end != len(b) {
		t.Fatalf("%x: valid, but the end is %d", b, end)
	}
	// ListReplyEnd does not check the games.
	switch err := parse(b[:end]); {
	case errors.Is(err, lobbywire.ErrUnsupported):
	case err != nil:
		t.Fatalf("%x: ends at %d, but %v", b, end, err)
	case whole != errors.Is(parse(append(b[:end:end], 0)), lobbywire.ErrTrailing):
		t.Fatalf("%x: ends at %d, whole %v, but not so with a byte more", b, end, whole)
	}
}
