package qr2_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// unknowns are datagrams to a master that only ParseToMaster accepts.
var unknowns = codectest.Codec[qr2.Unknown]{
	Parse: func(b []byte) (qr2.Unknown, error) {
		m, err := qr2.ParseToMaster(b)
		u, _ := m.(qr2.Unknown)
		return u, err
	},
	Explain:   qr2.ExplainToMaster,
	Canonical: true,
}

// specialLaw returns the law of a golden file that needs more than its message.
//
//wire:test
func specialLaw(t testing.TB, f golden.File) codectest.Law {
	switch f.Message() {
	case "Unknown":
		return unknowns
	case "ToMaster":
		return toMasterCodec
	}
	return nil
}

// load returns the bytes of a golden file.
func load(t testing.TB, name string) []byte {
	t.Helper()
	for _, f := range golden.Load(t) {
		if f.Name == name {
			return f.Data
		}
	}
	t.Fatalf("no golden file %s", name)
	return nil
}

// The body of a heartbeat has the plain form of a response: package gamespy2
// encodes the same tables to the same bytes.
func TestBodyIsThatOfAResponse(t *testing.T) {
	b := load(t, "heartbeat_first")
	m, err := qr2.ParseHeartbeat(b)
	if err != nil {
		t.Fatal(err)
	}
	response := gamespy2.Response{ID: m.Key, Info: m.Info, Players: *m.Players, Teams: *m.Teams}
	got, err := response.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got[1:], b[1:]) {
		t.Errorf("response %q, heartbeat %q", got, b)
	}
	parsed, err := gamespy2.Options{Sections: gamespy2.AllSections}.ParseResponse(got)
	if err != nil {
		t.Fatal(err)
	}
	parsed.Sections = 0
	if diff := cmp.Diff(response, parsed); diff != "" {
		t.Errorf("parsed (-heartbeat +response):\n%s", diff)
	}
}

// The same bytes never are a message in both directions.
func TestNoMessageHasBothDirections(t *testing.T) {
	for _, f := range golden.Load(t) {
		toMaster, _ := qr2.ParseToMaster(f.Data)
		toServer, _ := qr2.ParseToServer(f.Data)
		_, unknownToMaster := toMaster.(qr2.Unknown)
		_, unknownToServer := toServer.(qr2.Unknown)
		if toMaster != nil && toServer != nil && !unknownToMaster && !unknownToServer {
			t.Errorf("%s is %T to a master and %T to a server", f.Name, toMaster, toServer)
		}
		if strings.HasSuffix(f.Header["Direction"], " to master") == (f.Data != nil &&
			bytes.HasPrefix(f.Data, []byte("\xfe\xfd"))) {
			t.Errorf("%s starts like a message in the other direction", f.Name)
		}
	}
}
