package gameagent

// A StatusRequest asks a server for its [Status]. It is the byte 2.
//
//wire:message ToServer type=typeStatus end=decodeEnd
type StatusRequest struct{}

// A PlayersRequest asks a server for its [Players]. It is the byte 3.
//
//wire:message ToServer type=typePlayers end=decodeEnd
type PlayersRequest struct{}

// A PingRequest asks a server for a [Ping]. It is the byte 4.
//
//wire:message ToServer type=typePing end=decodeEnd
type PingRequest struct{}
