package traffic

import (
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/warzone"
)

// A service lists the formats of the messages that both sides of a protocol send. The
// first format that accepts all bytes is the right one.
type service struct {
	name   string
	ports  []uint16 // of servers
	stream bool     // TCP

	requests, answers []string // names of formats

	// The messages of plain services are so short or plain that other data may look the
	// same. On an unknown port, such a service needs messages of both sides.
	plain bool
}

// services returns all services, those with the plainest messages last.
func services() []service {
	return []service{
		{
			name:     "gamespy2",
			requests: []string{"gamespy2.Request", "gamespy2.StatRequest"},
			answers: []string{"gamespy2.ChallengeResponse", "gamespy2.Response", "gamespy2.Packet",
				"gamespy2.BasicStat", "gamespy2.Values", "gamespy2.EchoResponse"},
		},
		{
			name:     "qr2",
			ports:    []uint16{qr2.MasterPort},
			requests: []string{"qr2.ToMaster"},
			answers:  []string{"qr2.ToServer"},
		},
		{
			name:     "sqp",
			requests: []string{"sqp.Request"},
			answers:  []string{"sqp.ChallengeResponse", "sqp.QueryResponse", "sqp.Packet"},
		},
		{
			name:     "gameagent",
			ports:    []uint16{gameagent.MasterPort, gameagent.LegacyMasterPort},
			requests: []string{"gameagent.ToMaster", "gameagent.LegacyStatus"},
			answers: []string{"gameagent.ServerList", "gameagent.Challenge", "gameagent.LegacySecure",
				"gameagent.LegacyRequest"},
			plain: true,
		},
		{
			name:     "gameagent",
			ports:    []uint16{gameagent.GamePort + 1},
			requests: []string{"gameagent.ToServer"},
			answers:  []string{"gameagent.LegacyStatus", "gameagent.FromServer"},
		},
		{
			name: "bomberman", stream: true,
			ports:    []uint16{bomberman.Port},
			requests: []string{"bomberman.Stream"},
			answers:  []string{"bomberman.Stream"},
		},
		{
			name: "warzone", stream: true,
			ports:    []uint16{warzone.LobbyPort},
			requests: []string{"warzone.HostStream"},
			answers:  []string{"warzone.ListReply", "warzone.LobbyStream"},
		},
		{
			name: "warzone", stream: true,
			ports:    []uint16{warzone.GamePort},
			requests: []string{"warzone.AliveRequest", "warzone.JoinRequest"},
			answers:  []string{"warzone.AliveReply", "warzone.Game"},
			plain:    true,
		},
		{
			name: "wztext", stream: true,
			requests: []string{"wztext.Stream"},
			answers:  []string{"wztext.Stream"},
		},
		{
			name: "wzjson", stream: true,
			requests: []string{"wzjson.Stream"},
			answers:  []string{"wzjson.Stream"},
		},
		{
			name: "wzhttp", stream: true,
			requests: []string{"wzhttp.HTTPRequests"},
			answers:  []string{"wzhttp.HTTPAnswers"},
		},
		{
			name: "wzhttp", stream: true,
			ports:    []uint16{warzone.GamePort},
			requests: []string{"wzhttp.Probe"},
			answers:  []string{"wzhttp.ProbeReply"},
		},
		{
			name: "wzbinary", stream: true,
			requests: []string{"wzbinary.Stream"},
			answers:  []string{"wzbinary.Stream"},
			plain:    true,
		},
		{
			name: "sb2", stream: true,
			ports:    []uint16{sb2.Port},
			requests: []string{"sb2.ClientStream"},
			answers:  []string{formats.Sb2MasterStream},
			plain:    true,
		},
		{
			name: "gameagent", stream: true,
			ports:    []uint16{gameagent.LegacyListPort},
			requests: []string{"gameagent.LegacyListRequest"},
			answers:  []string{"gameagent.LegacyMasterStream", "gameagent.LegacyServerList"},
			plain:    true,
		},
	}
}

// Protocols returns the names of the protocols that have a service.
func Protocols() []string {
	var names []string
	for _, d := range services() {
		if !slices.Contains(names, d.name) {
			names = append(names, d.name)
		}
	}
	return names
}

// isUnknown reports whether a format is the one for messages of unknown types.
func isUnknown(name string) bool { return strings.HasSuffix(name, ".Unknown") }
