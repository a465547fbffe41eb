package protocols

import (
	"context"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// GameSpy2Fields are the keys that a request for a list needs for its table. Players join
// at hostport.
const GameSpy2Fields = "hostname,hostport,gametype,mapname,numplayers,maxplayers"

// GameSpy2Client returns a client of GameSpy 2 with the given settings.
func GameSpy2Client(a Settings) *gamespy2net.Client {
	how := map[string]gamespy2net.Protocol{
		"challenge": gamespy2net.ProtocolChallenge, "split": gamespy2net.ProtocolSplit, "plain": gamespy2net.ProtocolPlain,
		"jc2mp": gamespy2net.ProtocolJustCause2, "minecraft": gamespy2net.ProtocolMinecraft,
	}
	return &gamespy2net.Client{Protocol: how[a.Ask], Timeout: a.Timeout, Attempts: a.Attempts, Rate: a.Rate,
		Options: gamespy2.Options{Text: a.Text}, Dial: a.Dial, Listen: a.Listen}
}

// GameSpy2 returns the protocol of GameSpy 2.
func GameSpy2() Protocol {
	return Protocol{
		Name:       "gamespy2",
		Ports:      targets.Ports{Query: traffic.Port("gamespy2", traffic.Server)},
		masterPort: traffic.Port("qr2", traffic.Master),
		ListPort:   traffic.Port("sb2", traffic.List),
		Asks:       []string{"auto", "challenge", "split", "plain", "jc2mp", "minecraft"},
		Query:      queryGameSpy2,
		scanner:    func(a Settings) lobbywire.Scanner { return GameSpy2Client(a) },
		lister: func(a Settings, q gamespy2net.ListQuery) lobbywire.Lister {
			c := GameSpy2Client(a)
			c.ViewQuery = q
			return c
		},
		Serve:  servers.NewGameSpy2,
		Master: servers.NewGameSpyMaster,

		HasBytes:     true,
		ListsOverTCP: true,
		Discover:     discoverGameSpy2,
	}
}

func queryGameSpy2(ctx context.Context, addr netip.AddrPort, a Settings) (output.Answer, error) {
	r, err := GameSpy2Client(a).Query(ctx, addr.String())
	got := output.Answer{View: r.View(), Message: r.Message, Lacks: missingPackets(r.Partial), RTT: r.RTT,
		Attempts: r.Attempts}
	if r.Basic != nil {
		got.Message, got.Lacks = *r.Basic, lacksFullStat
	}
	return got, err
}

// lacksFullStat lists the parts that the basic stat of Minecraft lacks.
const lacksFullStat = "full stat"

// discoverGameSpy2 yields the servers that answer broadcasts.
func discoverGameSpy2(ctx context.Context, a Settings, broadcasts []netip.AddrPort) targets.Source {
	return func(yield func(targets.Target, error) bool) {
		for addr, err := range GameSpy2Client(a).Discover(ctx, broadcasts...) {
			var t targets.Target
			if err == nil {
				t = targets.At(addr)
			}
			if !yield(t, err) {
				return
			}
		}
	}
}
