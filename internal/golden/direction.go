package golden

// packages are the codecs, in the order of the index.
var packages = [...]string{
	"sqp", "gamespy2", "gameagent", "bomberman",
	"warzone", "warzone/wztext", "warzone/wzbin", "warzone/wzjson",
}

const (
	toServer   = "client to server"
	fromServer = "server to client"
	toMaster   = "server to master"
	fromMaster = "master to server"
	askMaster  = "client to master"
	giveClient = "master to client"
	either     = "either"
)

// directions tell who sends a message to whom. Lobbies and management servers
// are masters, and hosts are servers.
var directions = map[string]string{
	"sqp.ChallengeRequest":  toServer,
	"sqp.ChallengeResponse": fromServer,
	"sqp.QueryRequest":      toServer,
	"sqp.Packet":            fromServer,
	"sqp.QueryResponse":     fromServer,

	"gamespy2.Request":           toServer,
	"gamespy2.ChallengeResponse": fromServer,
	"gamespy2.EchoResponse":      fromServer,
	"gamespy2.Values":            fromServer,
	"gamespy2.Response":          fromServer,
	"gamespy2.Packet":            fromServer,
	"gamespy2.BasicStatRequest":  toServer,
	"gamespy2.BasicStat":         fromServer,

	"gameagent.Join":              toMaster,
	"gameagent.Challenge":         fromMaster,
	"gameagent.Heartbeat":         toMaster,
	"gameagent.StateChanged":      toMaster,
	"gameagent.ListRequest":       askMaster,
	"gameagent.ServerList":        giveClient,
	"gameagent.ToMaster":          askMaster,
	"gameagent.Unknown":           askMaster,
	"gameagent.StatusRequest":     toServer,
	"gameagent.Status":            fromServer,
	"gameagent.PlayersRequest":    toServer,
	"gameagent.Players":           fromServer,
	"gameagent.PlayersPacket":     fromServer,
	"gameagent.PingRequest":       toServer,
	"gameagent.Ping":              fromServer,
	"gameagent.LegacyHeartbeat":   toMaster,
	"gameagent.LegacyGreeting":    giveClient,
	"gameagent.LegacyListRequest": askMaster,
	"gameagent.LegacyServerList":  giveClient,
	"gameagent.LegacyRequest":     toServer,
	"gameagent.LegacyStatus":      fromServer,
	"gameagent.LegacyInfo":        fromServer,
	"gameagent.LegacyBasic":       fromServer,
	"gameagent.LegacyPlayers":     fromServer,

	"bomberman.RegisterGameServer":       toMaster,
	"bomberman.UpdateGameServerStats":    toMaster,
	"bomberman.UnregisterGameServer":     toMaster,
	"bomberman.QueryGameServers":         askMaster,
	"bomberman.QueryGameServersResponse": giveClient,
	"bomberman.Heartbeat":                either,
	"bomberman.RegisterPlayer":           toServer,
	"bomberman.RegisterPlayerResponse":   fromServer,
	"bomberman.PlayersUpdated":           fromServer,
	"bomberman.ConfigureArena":           toServer,
	"bomberman.ArenaUpdated":             fromServer,
	"bomberman.PlayerAction":             toServer,
	"bomberman.RoundEndHighscore":        fromServer,
	"bomberman.Unknown":                  either,

	"warzone.Game":         either,
	"warzone.GameIDReply":  fromMaster,
	"warzone.Status":       fromMaster,
	"warzone.ListReply":    giveClient,
	"warzone.AliveRequest": fromMaster,
	"warzone.AliveReply":   toMaster,
	"warzone.HostStream":   toMaster,
	"warzone.LobbyStream":  fromMaster,

	"wztext.List":      askMaster,
	"wztext.OpenGame":  toMaster,
	"wztext.StartGame": toMaster,
	"wztext.CloseGame": toMaster,
	"wztext.Count":     giveClient,
	"wztext.Game":      giveClient,
	"wztext.GameList":  giveClient,
	"wztext.Done":      fromMaster,
	"wztext.Error":     fromMaster,
	"wztext.Frame":     either,

	"wzbin.List":      askMaster,
	"wzbin.OpenGame":  toMaster,
	"wzbin.StartGame": toMaster,
	"wzbin.CloseGame": toMaster,
	"wzbin.Count":     giveClient,
	"wzbin.Game":      giveClient,
	"wzbin.GameList":  giveClient,
	"wzbin.Done":      fromMaster,
	"wzbin.Error":     fromMaster,
	"wzbin.Frame":     either,

	"wzjson.Add":       toMaster,
	"wzjson.AddAck":    fromMaster,
	"wzjson.Update":    toMaster,
	"wzjson.Heartbeat": toMaster,
	"wzjson.Goodbye":   toMaster,
	"wzjson.Ack":       fromMaster,
	"wzjson.Error":     fromMaster,
	"wzjson.List":      askMaster,
	"wzjson.ListAck":   giveClient,
	"wzjson.Unknown":   either,
}
