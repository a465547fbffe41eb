package wzhttp

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A JoinReply answers a [JoinRequest].
//
//wire:message object
type JoinReply struct {
	Connections []Address                  `wire:"connections"` // clients try them in order, IPv6 first
	JoinToken   string                     `wire:"joinToken"`   // the client sends it to the host; may be ""
	Extra       map[string]json.RawMessage // unknown members
}

// An Address is where a client can connect to a host.
//
//wire:object
type Address struct {
	Type  ConnectionType             `wire:"type,connectionType"`
	Host  string                     `wire:"host,host"` // an IP address or a host name
	Port  uint16                     `wire:"port,port"`
	Extra map[string]json.RawMessage // unknown members
}

// decodeHost reads a text that is not empty.
func decodeHost(j *wire.JSON, _ Options) string {
	s := j.Text()
	if s == "" {
		j.Fail(wire.Invalid(isEmpty))
	}
	return s
}

// appendHost appends a text that is not empty.
func appendHost(w *wire.Writer, field, s string) {
	if s == "" {
		w.Refuse(field, isEmpty)
	}
	w.JSONText(field, s)
}
