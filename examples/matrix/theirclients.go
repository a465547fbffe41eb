package main

import "github.com/lobbywire/lobbywire/internal/test/querytools"

// theirClients are the rows of clients of other projects at our servers.
func theirClients() []row {
	const (
		onePacket = "The protocol: an answer in plain form is one packet. Our server sends as many players as fit, " +
			"and numplayers has the total."
		asLatin1 = "The client: it decodes text as Latin-1, as most games of the protocol send it. The bytes " +
			"arrive whole."
		oneTry = "The client: by default it makes one attempt, which fails if a datagram is lost."
		asUTF8 = "The client: it decodes text as UTF-8 and replaces all other bytes. Old servers of Minecraft " +
			"send Latin-1."
		notUTF8   = "The client: it decodes text as Latin-1. New servers of Minecraft send UTF-8."
		noRepeat  = "The client: it does not repeat a lost request, and waits until its timeout."
		dropsText = "The client: it decodes text as UTF-8 and drops all other bytes."
		nextName  = "The client: without players, it takes the name of the next column for a player."
		longNames = "The client: it misreads a column that takes more than two packets. Our server refuses such a " +
			"state unless it is configured to cut for other clients."
		smallRoom = "The client: it reads 1024 bytes of an answer, which Minecraft sends in one packet of any size."
		oneQuery  = "The client: it does not repeat a lost query, and takes part of an answer for the whole."
	)
	var (
		plain  = reason{func(c testCase) bool { return c.players > 16 || c.name == "90 bytes" }, onePacket}
		latin1 = reason{named("UTF-8"), asLatin1}
		once   = reason{lossy, oneTry}
		long   = reason{moreThan(128), longNames}
	)
	scores, frags, names := shows{score: "score"}, shows{score: "frags"}, shows{}
	bf2 := func(tool querytools.Tool, reasons ...reason) row {
		return clientRow(tool, "Battlefield 2", battlefield, scores, reasons)
	}
	sam := func(tool querytools.Tool, reasons ...reason) row {
		return clientRow(tool, "Serious Sam", seriousSam, frags, reasons)
	}
	mine := func(tool querytools.Tool, show shows, reasons ...reason) row {
		return clientRow(tool, "Minecraft", minecraft, show, append(reasons, reason{lossy, noRepeat}))
	}
	unity := clientRow(goPackage("go-svrquery"), "SQP", unityServer, shows{noNames: true}, []reason{once})
	unity.skips = named("Latin-1") // SQP uses UTF-8, and our server refuses other texts
	csharp := clientRow(unityTestClient(), "SQP", unityServer, shows{noNames: true}, []reason{once})
	csharp.skips = unity.skips
	engine := clientRow(seriousEngine(), "Serious Sam, native", seriousSam, shows{noNames: true}, []reason{once})
	replaced, misread := reason{named("Latin-1"), asUTF8}, reason{named("UTF-8"), notUTF8}
	return []row{
		bf2(querytools.Qstat("-gs2"), plain),
		bf2(querytools.Qstat("-gs3")),
		bf2(querytools.Qstat("-gs4")),
		bf2(querytools.Gamedig("battlefield2"), latin1, once),
		bf2(querytools.Gamedig("protocol-gamespy3"), latin1, once),
		bf2(querytools.Gamedig("protocol-gamespy2"), plain, latin1, once),
		bf2(gameQ("bf2"), latin1, long, reason{lossy, oneQuery}),
		bf2(gameQ("gamespy4"), latin1, long, reason{lossy, oneQuery}),
		bf2(openGSQ("battlefield2"), reason{named("0"), nextName}, reason{named("Latin-1"), dropsText}, once),
		bf2(openGSQ("gamespy4"), reason{named("0"), nextName}, reason{named("Latin-1"), dropsText}, once),
		bf2(battlefieldBrowser(), once),
		sam(querytools.Qstat("-sms")),
		sam(querytools.Gamedig("serioussam"), latin1, once),
		sam(gameQLegacy(), latin1, reason{lossy, oneQuery}),
		sam(openGSQLegacy(), reason{named("Latin-1"), dropsText}, once),
		engine,
		mine(querytools.Gamedig("minecraft"), shows{noMap: true}, replaced),
		mine(querytools.MinecraftServerUtil(), names, misread),
		mine(querytools.MinecraftQuery(), names, replaced),
		mine(querytools.MCQuery(), names, replaced),
		mine(goPackage("mcstatusgo"), names, replaced),
		mine(goPackage("minequery"), names,
			reason{func(c testCase) bool { return c.players > 64 || c.name == "90 bytes" }, smallRoom}),
		mine(goPackage("mcutil"), names, misread),
		mine(goPackage("mcutils"), names),
		unity,
		csharp,
	}
}

// clientRow returns a row of a client of another project and a server of ours.
func clientRow(tool querytools.Tool, server string, newServer func(c testCase) (packetServer, error), show shows,
	reasons []reason) row {
	return row{
		client: tool.Name, server: server, installed: tool.Installed, start: onSocket(newServer), query: tool.Query,
		shows: show, reasons: reasons,
	}
}
