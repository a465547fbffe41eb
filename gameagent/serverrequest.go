package gameagent

// A StatusRequest requests the [Status] of a server. It is the byte 2.
//
//wire:message ToServer type=typeStatus end=decodeEnd
type StatusRequest struct{}

// A PlayersRequest requests the [Players] of a server. It is the byte 3.
//
//wire:message ToServer type=typePlayers end=decodeEnd
type PlayersRequest struct{}

// A PingRequest requests a [Ping] from a server. It is the byte 4.
//
//wire:message ToServer type=typePing end=decodeEnd
type PingRequest struct{}
