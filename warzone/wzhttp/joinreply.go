package wzhttp

import "encoding/json"

// A JoinReply answers a [JoinRequest].
//
//wire:message object
type JoinReply struct {
	Connections []Address                  `wire:"connections"` // clients try them in order, IPv6 first
	JoinToken   string                     `wire:"joinToken"`   // the client sends it to the host; may be ""
	Extra       map[string]json.RawMessage // unknown members
}

// An Address is an address at which a client can connect to a host.
//
//wire:object
type Address struct {
	Type  ConnectionType             `wire:"type,connectionType"`
	Host  string                     `wire:"host,nonEmpty"` // an IP address or a host name
	Port  uint16                     `wire:"port,port"`
	Extra map[string]json.RawMessage // unknown members
}
