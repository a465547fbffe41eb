package sb2

// A Keepalive checks whether a client is still connected. The client sends the
// same message back.
//
//wire:message Request Push frame=typeKeepalive canonical
type Keepalive struct {
	Data []byte `wire:"data,rest"` // any bytes; nil if there are none
}
