package main

import "github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"

// ways returns how servers register with the masters that run, for the page.
func (l *lists) ways() (all []web.Way) {
	for _, s := range l.servers {
		way, known := waysOf[s.name]
		if !known || len(s.sockets) == 0 {
			continue
		}
		way.At = s.sockets[0].addr().String()
		if s.name == "http" && l.config.Warzone.TLS.isSet() {
			way.Scheme = "https"
		}
		all = append(all, way)
	}
	return append(all, web.Way{Protocol: "Warzone 2100 since 4.7", Path: lobbyPath, How: lobbyServer})
}

const (
	lobbyServer  = "Write it as lobbyserver into the config file of the game."
	masterServer = "Write them as masterserver_name and masterserver_port into the config file of the game."
)

// waysOf maps names of servers to ways, without addresses.
var waysOf = map[string]web.Way{
	"gameagent": {Protocol: "GameAgent, UDP",
		How: "Set it as the master server of Serious Sam or another game of the native form."},
	"gameagent-legacy": {Protocol: "Legacy form, UDP",
		How: "Set it as a master server of Serious Sam, Unreal or another game of the first GameSpy protocol."},
	"gamespy": {Protocol: "GameSpy 2, UDP",
		How: "Let the master server's name of the game resolve to it. The game must be one that is listed here."},
	"warzone":   {Protocol: "Warzone 2100, 2.2 to 4.6", How: masterServer},
	"http":      {Protocol: "Warzone 2100 since 4.7", Path: lobbyPath, Scheme: "http", How: lobbyServer},
	"layout21":  {Protocol: "Warzone 2100, 2.1", How: masterServer},
	"layout20":  {Protocol: "Warzone 2100, 2.0", How: masterServer},
	"text":      {Protocol: "Text proposal", How: "Send the announcements of a game there."},
	"binary":    {Protocol: "Binary proposal", How: "Send the announcements of a game there."},
	"json":      {Protocol: "JSON proposal", How: "Send the announcements of a game there."},
	"bomberman": {Protocol: "Bomberman, TCP", How: "Set it as the management server of the game server."},
}
