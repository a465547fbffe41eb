package qr2

import "github.com/lobbywire/lobbywire/internal/wire"

// A Keepalive keeps a server listed, and keeps the port mappings of routers open.
// The SDK sends one 20 s after the last heartbeat or keepalive.
//
//wire:message ToMaster type=typeKeepalive end=decodeEnd
type Keepalive struct {
	Key [4]byte `wire:"key"` // of the Heartbeat
}

// A KeepaliveAnswer answers a [Keepalive]. Servers ignore it. Masters send it in
// three forms: with the key and the time, with only the key, and with a key of
// zeros and no time.
//
//wire:message ToServer magic=0xfefd type=typeKeepalive key=typeKeepalive
type KeepaliveAnswer struct {
	Key [4]byte `wire:"key"` // of the Heartbeat, or zeros

	// HasTime reports whether the answer contains Time.
	HasTime bool

	// Time is the clock of the master, in seconds since 1970.
	Time uint32
}

func (m *KeepaliveAnswer) decode(r *wire.Reader, o Options) {
	m.decodeHeader(r)
	m.HasTime = r.Len() > 0
	if m.HasTime {
		m.Time = r.Uint32("time")
	}
	decodeEnd(r, o)
}

// append fails if Time is set and HasTime is not.
func (m *KeepaliveAnswer) append(w *wire.Writer) {
	m.appendHeader(w)
	switch {
	case m.HasTime:
		w.Uint32(m.Time)
	case m.Time != 0:
		w.Refuse("time", "set without HasTime")
	}
}

// Registered tells a server that its [ChallengeAnswer] was correct and that the
// master lists it. The SDK of 2007 does not know the message and ignores it.
//
//wire:message ToServer magic=0xfefd type=typeRegistered key=typeRegistered end=decodeEnd
type Registered struct {
	Key [4]byte `wire:"key"` // of the Heartbeat
}

// AddError tells a server that the master does not list it. The SDK reports the
// first one to the game and stops sending heartbeats.
//
//wire:message ToServer magic=0xfefd type=typeAddError key=typeAddError end=decodeEnd
type AddError struct {
	Key  [4]byte `wire:"key"`       // of the Heartbeat
	Code uint8   `wire:"code"`      // 1 from known masters
	Text string  `wire:"text,text"` // for the operator
}
