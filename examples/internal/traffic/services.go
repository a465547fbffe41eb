package traffic

import (
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/warzone"
)

// A Role is the kind of program at a port.
type Role int

const (
	Server Role = iota // a game server
	Master             // a master or lobby where servers register
	List               // the list of a master, if it has a port of its own
)

// A Service lists the formats of the messages that go to a port and come from it. The
// first format that accepts all bytes is the right one.
type Service struct {
	Protocol string
	Role     Role
	Ports    []uint16 // usual ports, the most usual first
	Stream   bool     // TCP

	Requests, Answers []string // names of formats

	// The messages of plain services are so short or plain that other data may look the
	// same. On an unknown port, such a service needs messages of both sides.
	plain bool
}

// gameSpy2Port is the port of queries of Battlefield 2. Each game has its own.
const gameSpy2Port = 29900

// Services returns all services, ending with those whose messages are plainest. It is the
// only table of services and ports.
func Services() []Service {
	return []Service{
		{
			Protocol: "gamespy2", Role: Server, Ports: []uint16{gameSpy2Port},
			Requests: []string{"gamespy2.Request", "gamespy2.StatRequest"},
			Answers: []string{"gamespy2.ChallengeResponse", "gamespy2.Response", "gamespy2.Packet",
				"gamespy2.BasicStat", "gamespy2.Values", "gamespy2.EchoResponse"},
		},
		{
			Protocol: "qr2", Role: Master, Ports: []uint16{qr2.MasterPort},
			Requests: []string{"qr2.ToMaster"},
			Answers:  []string{"qr2.ToServer"},
		},
		{
			Protocol: "sqp", Role: Server,
			Requests: []string{"sqp.Request"},
			Answers:  []string{"sqp.ChallengeResponse", "sqp.QueryResponse", "sqp.Packet"},
		},
		{
			Protocol: "gameagent", Role: Master,
			Ports:    []uint16{gameagent.MasterPort, gamespy1.MasterPort},
			Requests: []string{"gameagent.ToMaster", "gamespy1.ToMaster", "gamespy1.Status"},
			Answers: []string{"gameagent.ServerList", "gameagent.Challenge", "gamespy1.Secure",
				"gamespy1.Request"},
			plain: true,
		},
		{
			Protocol: "gameagent", Role: Server, Ports: []uint16{gameagent.GamePort + 1},
			Requests: []string{"gameagent.ToServer", "gamespy1.ToServer"},
			Answers:  []string{"gamespy1.Status", "gameagent.FromServer"},
		},
		{
			Protocol: "bomberman", Role: Master, Ports: []uint16{bomberman.Port}, Stream: true,
			Requests: []string{"bomberman.Stream"},
			Answers:  []string{"bomberman.Stream"},
		},
		{
			Protocol: "warzone", Role: Master, Ports: []uint16{warzone.LobbyPort}, Stream: true,
			Requests: []string{"warzone.HostStream"},
			Answers:  []string{"warzone.ListReply", "warzone.LobbyStream"},
		},
		{
			Protocol: "warzone", Role: Server, Ports: []uint16{warzone.GamePort}, Stream: true,
			Requests: []string{"warzone.AliveRequest", "warzone.JoinRequest"},
			Answers:  []string{"warzone.AliveReply", "warzone.Game"},
			plain:    true,
		},
		{
			Protocol: "wztext", Role: Master, Stream: true,
			Requests: []string{"wztext.Stream"},
			Answers:  []string{"wztext.Stream"},
		},
		{
			Protocol: "wzjson", Role: Master, Stream: true,
			Requests: []string{"wzjson.Stream"},
			Answers:  []string{"wzjson.Stream"},
		},
		{
			Protocol: "wzhttp", Role: Master, Stream: true,
			Requests: []string{"wzhttp.HTTPRequests"},
			Answers:  []string{"wzhttp.HTTPAnswers"},
		},
		{
			Protocol: "wzhttp", Role: Server, Ports: []uint16{warzone.GamePort}, Stream: true,
			Requests: []string{"wzhttp.Probe"},
			Answers:  []string{"wzhttp.ProbeReply"},
		},
		{
			Protocol: "wzbinary", Role: Master, Stream: true,
			Requests: []string{"wzbinary.Stream"},
			Answers:  []string{"wzbinary.Stream"},
			plain:    true,
		},
		{
			Protocol: "sb2", Role: List, Ports: []uint16{sb2.Port}, Stream: true,
			Requests: []string{"sb2.ClientStream"},
			Answers:  []string{formats.Sb2MasterStream},
			plain:    true,
		},
		{
			Protocol: "gameagent", Role: List, Ports: []uint16{gamespy1.ListPort}, Stream: true,
			Requests: []string{"gamespy1.ListRequest"},
			Answers:  []string{"gamespy1.MasterStream", "gamespy1.ServerList"},
			plain:    true,
		},
	}
}

// ServiceOf returns the service of a protocol in a role; a zero one if there is none.
func ServiceOf(protocol string, role Role) Service {
	for _, s := range Services() {
		if s.Protocol == protocol && s.Role == role {
			return s
		}
	}
	return Service{}
}

// Port returns the usual port of a protocol in a role, 0 if there is none.
func Port(protocol string, role Role) uint16 {
	ports := append(ServiceOf(protocol, role).Ports, 0)
	return ports[0]
}

// Protocols returns the names of the protocols that have a service.
func Protocols() []string {
	var names []string
	for _, s := range Services() {
		if !slices.Contains(names, s.Protocol) {
			names = append(names, s.Protocol)
		}
	}
	return names
}

// isUnknown reports whether a format is the one for messages of unknown types.
func isUnknown(name string) bool { return strings.HasSuffix(name, ".Unknown") }
