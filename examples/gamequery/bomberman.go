package main

import (
	"bytes"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

func bombermanFormats() []format {
	var framed, payloads []format
	add := func(f, p format) {
		framed = append(framed, f)
		payloads = append(payloads, p)
	}
	add(bombermanMessage("bomberman.RegisterGameServer", "game server announces itself to the management server",
		bomberman.Options.ParseRegisterGameServer, bomberman.Explain[bomberman.RegisterGameServer]))
	add(bombermanMessage("bomberman.UpdateGameServerStats", "game server tells how full it is",
		bomberman.Options.ParseUpdateGameServerStats, bomberman.Explain[bomberman.UpdateGameServerStats]))
	add(bombermanMessage("bomberman.UnregisterGameServer", "game server leaves",
		bomberman.Options.ParseUnregisterGameServer, bomberman.Explain[bomberman.UnregisterGameServer]))
	add(bombermanMessage("bomberman.QueryGameServers", "client asks for game servers",
		bomberman.Options.ParseQueryGameServers, bomberman.Explain[bomberman.QueryGameServers]))
	add(bombermanMessage("bomberman.QueryGameServersResponse", "management server's answer",
		bomberman.Options.ParseQueryGameServersResponse, bomberman.Explain[bomberman.QueryGameServersResponse]))
	add(bombermanMessage("bomberman.Heartbeat", "either side lives",
		bomberman.Options.ParseHeartbeat, bomberman.Explain[bomberman.Heartbeat]))
	add(bombermanMessage("bomberman.RegisterPlayer", "player joins a game server",
		bomberman.Options.ParseRegisterPlayer, bomberman.Explain[bomberman.RegisterPlayer]))
	add(bombermanMessage("bomberman.RegisterPlayerResponse", "game server's answer",
		bomberman.Options.ParseRegisterPlayerResponse, bomberman.Explain[bomberman.RegisterPlayerResponse]))
	add(bombermanMessage("bomberman.PlayersUpdated", "game server tells who is in the lobby",
		bomberman.Options.ParsePlayersUpdated, bomberman.Explain[bomberman.PlayersUpdated]))
	add(bombermanMessage("bomberman.ConfigureArena", "leader starts a round",
		bomberman.Options.ParseConfigureArena, bomberman.Explain[bomberman.ConfigureArena]))
	add(bombermanMessage("bomberman.ArenaUpdated", "game server tells what changed in the arena",
		bomberman.Options.ParseArenaUpdated, bomberman.Explain[bomberman.ArenaUpdated]))
	add(bombermanMessage("bomberman.PlayerAction", "player moves or plants a bomb",
		bomberman.Options.ParsePlayerAction, bomberman.Explain[bomberman.PlayerAction]))
	add(bombermanMessage("bomberman.RoundEndHighscore", "game server ends a round",
		bomberman.Options.ParseRoundEndHighscore, bomberman.Explain[bomberman.RoundEndHighscore]))
	add(bombermanMessage("bomberman.Unknown", "any message, its content not taken apart",
		bomberman.Options.ParseUnknown, bomberman.Explain[bomberman.Unknown]))
	frame := newChoice("bomberman.Frame", "any message, in its frame",
		with(bombermanOptions, bomberman.Options.ParseFrame), bomberman.ExplainFrame, framed)
	return append(framed,
		frame,
		newChoice("bomberman.Message", "any message, without its frame",
			with(bombermanOptions, bomberman.Options.ParseMessage), bomberman.ExplainMessage, payloads),
		newStream("bomberman.Stream", "frames, either direction", "bomberman",
			func(rest []byte, o options) (size int, f format, err error) {
				size, payload, err := bombermanOptions(o).SplitFrames(rest, true)
				if err == nil && payload == nil {
					return size, format{}, nil // white space at the end
				}
				f = frame
				f.name = bombermanName(payload)
				return size, f, err
			}, framed),
	)
}

func bombermanOptions(o options) bomberman.Options { return bomberman.Options{Strict: o.strict} }

// bombermanMessage returns the format of a message in its frame, which is what
// goes over the wire, and of its payload alone.
func bombermanMessage[M bomberman.Message](
	name, doc string,
	parse func(bomberman.Options, []byte) (M, error),
	explain func(b []byte) lobbywire.Explanation,
) (framed, payload format) {
	parsePayload := with(bombermanOptions, parse)
	parseFrame := func(b []byte, o options) (M, error) {
		var none M
		m, err := bombermanOptions(o).ParseFrame(b)
		if err != nil {
			return none, err
		}
		if m, ok := m.(M); ok {
			return m, nil
		}
		p, _, err := bombermanOptions(o).NextFrame(b)
		if err != nil {
			return none, err
		}
		v, err := parsePayload(p, o)
		return v, shifted(err, bytes.Index(b, p))
	}
	explainFrame := func(b []byte, o options) lobbywire.Explanation {
		e := bomberman.ExplainFrame(b)
		if e.Err == nil {
			_, e.Err = parseFrame(b, o) // a message, but another one
		}
		return e
	}
	framed = format{name: name, doc: doc, codec: message[M]{parse: parseFrame, fields: explainFrame, frame: bomberman.AppendFrame}}
	return framed, newMessage(name, doc, parsePayload, explain)
}

// bombermanName returns what the command of a message makes it, whether or not
// the rest of it is valid.
func bombermanName(payload []byte) string {
	command, err := bomberman.PeekCommand(payload)
	if err != nil {
		return "bomberman.Frame"
	}
	switch command {
	case bomberman.CommandRegisterGameServer:
		return "bomberman.RegisterGameServer"
	case bomberman.CommandUpdateGameServerStats:
		return "bomberman.UpdateGameServerStats"
	case bomberman.CommandUnregisterGameServer:
		return "bomberman.UnregisterGameServer"
	case bomberman.CommandQueryGameServers:
		return "bomberman.QueryGameServers"
	case bomberman.CommandQueryGameServersResponse:
		return "bomberman.QueryGameServersResponse"
	case bomberman.CommandHeartbeat:
		return "bomberman.Heartbeat"
	case bomberman.CommandRegisterPlayer:
		return "bomberman.RegisterPlayer"
	case bomberman.CommandRegisterPlayerResponse:
		return "bomberman.RegisterPlayerResponse"
	case bomberman.CommandPlayersUpdated:
		return "bomberman.PlayersUpdated"
	case bomberman.CommandConfigureArena:
		return "bomberman.ConfigureArena"
	case bomberman.CommandArenaUpdated:
		return "bomberman.ArenaUpdated"
	case bomberman.CommandPlayerAction:
		return "bomberman.PlayerAction"
	case bomberman.CommandRoundEndHighscore:
		return "bomberman.RoundEndHighscore"
	}
	return "bomberman.Unknown"
}
