package bomberman

// RegisterGameServer adds the game server of the connection to the list of a
// management server. A second one on the same connection replaces the first.
// There is no answer. A server drops an invalid registration, so decoding
// refuses it.
//
// In the list, the three members are called name, address and port.
//
//wire:message Message command=msRegisterGameServer
type RegisterGameServer struct {
	ServerName    string `wire:"serverName,must=notEmpty"`        // any text except ""
	ServerAddress string `wire:"serverAddress,must=validAddress"` // for clients: IPv4, IPv6 or a host name
	ServerPort    int    `wire:"serverPort,must=validPort"`       // of the game server: 1 to 65535, except Port
	Envelope
}
