package qr2_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

func TestKeepaliveAnswerAcceptsItsFormsOnly(t *testing.T) {
	const in = "\xfe\xfd\x08\x10\x20\x30\x40"
	keepaliveAnswerCodec.Table(t, []codectest.Case[qr2.KeepaliveAnswer]{
		{Name: "without time", In: in, Want: qr2.KeepaliveAnswer{Key: testKey}},
		{Name: "with time", In: in + "\x00\x00\x00\x05",
			Want: qr2.KeepaliveAnswer{Key: testKey, HasTime: true, Time: 5}},
		{Name: "with a time of 0", In: in + "\x00\x00\x00\x00", Want: qr2.KeepaliveAnswer{Key: testKey, HasTime: true}},
		{Name: "half a time", In: in + "\x00\x00", Err: lobbywire.ErrTruncated, Field: "time", Offset: 7},
		{Name: "a byte too many", In: in + "\x00\x00\x00\x05\x00",
			Want: qr2.KeepaliveAnswer{Key: testKey, HasTime: true, Time: 5}, Strict: lobbywire.ErrTrailing,
			Differs: true},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "time without HasTime", Value: qr2.KeepaliveAnswer{Time: 5}, Err: lobbywire.ErrInvalid, Field: "time"},
	})
}

func TestAvailabilityAcceptsItsFormsOnly(t *testing.T) {
	availabilityRequestCodec.Table(t, []codectest.Case[qr2.AvailabilityRequest]{
		{Name: "as the SDK sends it", In: "\x09\x00\x00\x00\x00gmtest\x00",
			Want: qr2.AvailabilityRequest{GameName: "gmtest"}},
		{Name: "a byte too many", In: "\x09\x00\x00\x00\x00a\x00b", Want: qr2.AvailabilityRequest{GameName: "a"},
			Strict: lobbywire.ErrTrailing, Differs: true},
		{Name: "a key", In: "\x09\x00\x00\x00\x01a\x00", Err: lobbywire.ErrInvalid, Field: "key", Offset: 1},
		{Name: "no end", In: "\x09\x00\x00\x00\x00a", Err: lobbywire.ErrTruncated, Field: "gamename", Offset: 5},
	})
	long := strings.Repeat("a", qr2.MaxText+1)
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "zero byte", Value: qr2.AvailabilityRequest{GameName: "\x00"},
			Err: lobbywire.ErrInvalid, Field: "gamename"},
		{Name: "long name", Value: qr2.AvailabilityRequest{GameName: long},
			Err: lobbywire.ErrTooLarge, Field: "gamename"},
		{Name: "zero byte in an error", Value: qr2.AddError{Text: "\x00"}, Err: lobbywire.ErrInvalid, Field: "text"},
		{Name: "long error", Value: qr2.AddError{Text: long}, Err: lobbywire.ErrTooLarge, Field: "text"},
	})
	for a, want := range map[qr2.Availability]string{
		0: "available", 1: "unavailable", 2: "temporarilyUnavailable", 7: "unavailable|temporarilyUnavailable",
	} {
		if got := a.String(); got != want {
			t.Errorf("%d is %q, want %q", uint32(a), got, want)
		}
	}
}

func TestNATCookieIsFoundInClientMessages(t *testing.T) {
	m, err := qr2.ParseClientMessage(load(t, "client_message"))
	if err != nil {
		t.Fatal(err)
	}
	if cookie, ok := m.NATCookie(); cookie != 0x0a0b0c0d || !ok {
		t.Errorf("cookie %#x, %v", cookie, ok)
	}
	if got := qr2.NATNegotiation(0x0a0b0c0d); !bytes.Equal(got, m.Data) {
		t.Errorf("data %x, want %x", got, m.Data)
	}
	for _, data := range []string{"", "hello", "\xfd\xfc\x1e\x66\x6a\xb2\x00\x00\x00"} {
		if cookie, ok := (qr2.ClientMessage{Data: []byte(data)}).NATCookie(); ok {
			t.Errorf("%q has the cookie %#x", data, cookie)
		}
	}
}

func TestDirectionAndTypeDetermineTheMessage(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     any
	}{
		{"heartbeat", header, gmtest(nil, nil)},
		{"keepalive", "\x08\x10\x20\x30\x40", qr2.Keepalive{Key: testKey}},
		{"ack", "\x07\x10\x20\x30\x40\x00\x00\x00\x05", qr2.ClientMessageAck{Key: testKey, ID: 5}},
		{"answer to a query", "\x00\x10\x20\x30\x40a\x00", unknown("\x00\x10\x20\x30\x40a\x00")},
		{"answer to a challenge request", "\x09\x10\x20\x30\x401\x00", unknown("\x09\x10\x20\x30\x401\x00")},
		{"older protocol", `\heartbeat\6500`, unknown(`\heartbeat\6500`)},
		{"message of a master", "\xfe\xfd\x0a\x10\x20\x30\x40", unknown("\xfe\xfd\x0a\x10\x20\x30\x40")},
	} {
		t.Run(tt.name, func(t *testing.T) { wantMessage(t, qr2.ParseToMaster, tt.in, tt.want) })
	}
	for _, tt := range []struct {
		name, in string
		want     any
	}{
		{"registered", "\xfe\xfd\x0a\x10\x20\x30\x40", qr2.Registered{Key: testKey}},
		{"error", "\xfe\xfd\x04\x10\x20\x30\x40\x01no\x00", qr2.AddError{Key: testKey, Code: 1, Text: "no"}},
		{"query", "\xfe\xfd\x00\x10\x20\x30\x40\xff\x00\x00", unknown("\xfe\xfd\x00\x10\x20\x30\x40\xff\x00\x00")},
		{"challenge request", "\xfe\xfd\x09\x00\x00\x00\x02",
			qr2.AvailabilityAnswer{Availability: qr2.TemporarilyUnavailable}},
		{"only the magic", "\xfe\xfd", unknown("\xfe\xfd")},
		{"message to a master", "\x08\x10\x20\x30\x40", unknown("\x08\x10\x20\x30\x40")},
	} {
		t.Run(tt.name, func(t *testing.T) { wantMessage(t, qr2.ParseToServer, tt.in, tt.want) })
	}
}

func unknown(raw string) qr2.Unknown { return qr2.Unknown{Raw: []byte(raw)} }

// wantMessage compares what a dispatcher returns.
func wantMessage[M codectest.Message](t *testing.T, parse func([]byte) (M, error), in string, want any) {
	t.Helper()
	m, err := parse([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, any(m)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStatesHaveNames(t *testing.T) {
	for state, want := range map[qr2.State]string{
		qr2.StateSame: "same", qr2.StateChanged: "changed", qr2.StateShutdown: "shutdown", qr2.StateStart: "start",
		4: "state(4)",
	} {
		if got := state.String(); got != want {
			t.Errorf("state %d is %q, want %q", uint8(state), got, want)
		}
	}
}

// PeekToMaster agrees with ParseToMaster, PeekKey and PeekState with the messages.
func TestPeekAgreesWithParse(t *testing.T) {
	for _, f := range golden.Load(t) {
		for n := range len(f.Data) + 1 {
			b := f.Data[:n]
			m, err := qr2.ParseToMaster(b)
			if err != nil {
				continue
			}
			peeked := qr2.PeekToMaster(b)
			if _, isUnknown := m.(qr2.Unknown); isUnknown != (peeked == nil) || !isUnknown &&
				reflect.TypeOf(peeked) != reflect.TypeOf(m) {
				t.Errorf("%x is %T, peeked at %T", b, m, peeked)
			}
			if h, ok := m.(qr2.Heartbeat); ok {
				if key, ok := qr2.PeekKey(b); key != h.Key || !ok {
					t.Errorf("%x has the key %x, peeked at %x", b, h.Key, key)
				}
				if want, got := h.Identity().State, qr2.PeekState(b); got != want {
					t.Errorf("%x has the state %v, peeked at %v", b, want, got)
				}
			}
		}
	}
	if _, ok := qr2.PeekKey([]byte("\x08\x10\x20\x30")); ok {
		t.Error("4 bytes have a key")
	}
	for _, b := range []string{"", "\x03\x10\x20\x30", "\x03\x10\x20\x30\x40statechanged\x002",
		"\x03\x10\x20\x30\x40\x00statechanged\x002\x00"} {
		if s := qr2.PeekState([]byte(b)); s != qr2.StateSame {
			t.Errorf("%x has the state %v", b, s)
		}
	}
	if m := qr2.PeekToMaster(nil); m != nil {
		t.Errorf("an empty datagram is %T", m)
	}
}
